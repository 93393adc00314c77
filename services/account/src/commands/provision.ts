import { Fault } from '@sluice/errors';
import type { EventStore, RecordedEvent } from '@sluice/es';
import { type AccountReads, type Shown } from '@sluice/read-model';
import { derivedId } from '@sluice/clock-and-ids';
import {
  type DirectoryMember,
  type DirectoryMemberships,
  directoryMemberships,
  losers,
  memberChanges,
} from '../domain/scim-directory/entitlements.ts';
import { scimDirectory } from '../domain/scim-directory/decide.ts';
import type { ScimDirectory } from '../domain/scim-directory/state.ts';
import { findAccount } from '../queries/find-account.ts';
import { listAllMembers } from '../queries/list-all-members.ts';
import { scimDirectoryEvents } from '../store/scim-directory-events.ts';
import { changeMember } from './change-member.ts';
import type { Workspaces } from './workspaces.ts';

export interface ProvisionDependencies {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
  readonly workspaces: Workspaces;
  readonly shown: { readonly members: Shown };
  /** Called with each change that is refused for good. */
  readonly onRefused: (what: { accountId: string; workspaceId: string; error: unknown }) => void;
}

/** The last events of an organization's directory or members, in log order. */
export type Reason = readonly [RecordedEvent, ...(readonly RecordedEvent[])];

/**
 * Sets the memberships of the organization, and of each workspace that was ever mapped, to the state of the
 * directory. Each run sends the full state and only differences have an effect, so it may stop anywhere and
 * begin again. When a mapping was deleted and its members stay, it keeps them before it sends the remaining
 * members to the workspace service.
 */
export function provision(dependencies: ProvisionDependencies) {
  return async (accountId: string, reason: Reason): Promise<void> => {
    // Most organizations have no directory: their members are not even read.
    if (!(await hasDirectory(dependencies.eventStore, accountId))) return;
    const members = await membersOf(dependencies.readModel, accountId);
    const at = { accountId, members };
    const directory = await keepMembers(dependencies, at, reason);
    if (directory.users.size === 0 && directory.workspaceIds.size === 0) return;
    const { id, occurredAt } = latest(reason);
    await changeMembers(dependencies, { ...at, directory, id, occurredAt });
    for (const [workspaceId, roles] of directoryMemberships(directory, members))
      await tell(dependencies, { accountId, workspaceId, id, occurredAt }, roles);
  };
}

async function hasDirectory(
  eventStore: Pick<EventStore, 'read'>,
  accountId: string,
): Promise<boolean> {
  const events = eventStore.read(`${scimDirectoryEvents.streamPrefix}${accountId}`);
  for await (const { type } of events) return type !== '';
  return false;
}

interface At {
  readonly accountId: string;
  readonly members: readonly DirectoryMember[];
}

/** Reads the directory, and on the way keeps the members of mappings that were deleted just now. */
async function keepMembers(
  dependencies: ProvisionDependencies,
  { accountId, members }: At,
  reason: Reason,
): Promise<ScimDirectory> {
  const fresh = new Set(reason.map(({ id }) => id));
  let directory = scimDirectory.initial;
  const stream = `${scimDirectoryEvents.streamPrefix}${accountId}`;
  for await (const recorded of dependencies.eventStore.read(stream)) {
    const event = scimDirectoryEvents.decode(recorded);
    const next = scimDirectory.evolve(directory, event);
    if (event.type === 'ScimMappingDeleted' && event.data.keepMembers && fresh.has(recorded.id)) {
      const { workspaceId, deletedAt: occurredAt } = event.data;
      const before = directoryMemberships(directory, members);
      const after = directoryMemberships(next, members);
      const where = { accountId, workspaceId, id: recorded.id, occurredAt };
      // Add the new members first: only a member can stay.
      await tell(dependencies, { ...where, id: `${recorded.id} before` }, before.get(workspaceId));
      await keep(dependencies, where, losers(workspaceId, before, after));
    }
    directory = next;
  }
  return directory;
}

interface Where {
  readonly accountId: string;
  readonly workspaceId: string;
  /** The id of the event that is the reason. The ids of the commands that follow are derived from it. */
  readonly id: string;
  readonly occurredAt: string;
}

async function tell(
  dependencies: ProvisionDependencies,
  where: Where,
  roles:
    | (DirectoryMemberships extends ReadonlyMap<string, infer Roles> ? Roles : never)
    | undefined,
): Promise<void> {
  const { accountId, workspaceId, id } = where;
  const commandId = derivedId('directory memberships', workspaceId, id);
  const memberships = [...(roles ?? [])].map(([userId, role]) => ({ userId, role }));
  const change = { accountId, workspaceId, commandId };
  await inWorkspace(dependencies, where, () =>
    dependencies.workspaces.setDirectoryMemberships(change, memberships),
  );
}

async function keep(
  dependencies: ProvisionDependencies,
  where: Where,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return;
  const { accountId, workspaceId, id } = where;
  const change = { accountId, workspaceId, commandId: derivedId('keep members', workspaceId, id) };
  await inWorkspace(dependencies, where, () =>
    dependencies.workspaces.keepDirectoryMembers(change, userIds),
  );
}

/** A deleted workspace loses its mappings. Another refusal must not stop the other workspaces. */
async function inWorkspace(
  { eventStore, onRefused }: ProvisionDependencies,
  { accountId, workspaceId, id, occurredAt }: Where,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Fault) || error.retryable) throw error;
    if (error.code !== 'not_found') return onRefused({ accountId, workspaceId, error });
    const commandId = derivedId('remove mappings', workspaceId, id);
    await scimDirectoryEvents.handler(eventStore)(
      accountId,
      { type: 'RemoveWorkspaceMappings', accountId, workspaceId, occurredAt },
      contextOf(commandId, occurredAt),
    );
  }
}

/** Ends and brings back memberships of the organization; an administrator's word stands above it. */
async function changeMembers(
  { eventStore, shown, onRefused }: ProvisionDependencies,
  {
    accountId,
    members,
    directory,
    id,
    occurredAt,
  }: At &
    Omit<Where, 'workspaceId'> & {
      readonly directory: ScimDirectory;
    },
): Promise<void> {
  const change = changeMember(eventStore);
  const { toEnd, toBringBack } = memberChanges(directory, members);
  const wanted = [
    ...[...toEnd].map((userId) => ({ type: 'DeactivateMember', userId }) as const),
    ...[...toBringBack].map((userId) => ({ type: 'ReactivateMember', userId }) as const),
  ];
  for (const one of wanted) {
    const commandId = derivedId(one.type, accountId, one.userId, id);
    const context = { ...contextOf(commandId, occurredAt), accountId };
    try {
      const { position } = await change({ ...one, by: 'directory' }, context);
      await shown.members(position);
    } catch (error) {
      if (!(error instanceof Fault) || error.retryable) throw error;
      onRefused({ accountId, workspaceId: '', error });
    }
  }
}

async function membersOf(
  readModel: AccountReads,
  accountId: string,
): Promise<readonly DirectoryMember[]> {
  const owner = (await findAccount(readModel, accountId))?.ownerUserId;
  const rows = await listAllMembers(readModel, accountId);
  return rows.map(({ userId, email, isActive, deactivatedBy }) => ({
    userId,
    email,
    isActive,
    isEndedByDirectory: deactivatedBy === 'directory',
    isOwner: userId === owner,
  }));
}

function latest(reason: Reason): { readonly id: string; readonly occurredAt: string } {
  const { id, recordedAt } = reason.at(-1) ?? reason[0];
  return { id, occurredAt: recordedAt.toISOString() };
}

function contextOf(commandId: string, occurredAt: string) {
  const actor = { type: 'system', id: 'directory' } as const;
  return { commandId, requestId: `directory-${commandId}`, occurredAt, actor };
}
