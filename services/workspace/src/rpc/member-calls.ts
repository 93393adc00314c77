import { invalidRequest, invalidValue, rejectionToFault, requireAccepted } from '@sluice/errors';
import { commandContext } from '@sluice/rpc';
import { addMembers, removeMembers, requireMembers } from '../commands/change-members.ts';
import type { WorkspaceMembersCommand } from '../domain/workspace-members/decide.ts';
import type { WorkspaceMembersEvent, WorkspaceRole } from '../domain/workspace-members/events.ts';
import { workspaceMembersEvents } from '../store/workspace-members-events.ts';
import { type Handlers, type WorkspaceRpcDependencies } from './dependencies.ts';
import { addedMemberships, findMemberships, isImplicit, listMemberships } from './memberships.ts';
import { requirePage, requireUserIds } from './page.ts';
import { requireWorkspace } from './require-workspace.ts';

/** The calls about the members of a workspace. */
export function memberCalls(dependencies: WorkspaceRpcDependencies) {
  return {
    ...reading(dependencies),
    ...manual(dependencies),
    ...fromDirectory(dependencies),
  };
}

const perCall = { atLeast: 1, atMost: 100 };
const perWorkspace = { atLeast: 0, atMost: 2_000 };

function reading(dependencies: WorkspaceRpcDependencies) {
  const { readModel } = dependencies;
  return {
    async listMembers({ accountId, workspaceRef, offset, limit }) {
      requirePage({ offset, limit });
      const workspace = await requireWorkspace(readModel, accountId, workspaceRef);
      const listed = await listMemberships(dependencies, workspace, { offset, limit });
      return { workspaceId: workspace.workspaceId, ...listed };
    },
    async getMemberships({ accountId, workspaceId, userIds: sent }) {
      const userIds = requireUserIds(sent, perCall);
      const workspace = await requireWorkspace(readModel, accountId, workspaceId);
      return { memberships: await findMemberships(dependencies, workspace, userIds) };
    },
  } satisfies Partial<Handlers>;
}

function manual(dependencies: WorkspaceRpcDependencies) {
  const { eventStore, readModel, clock, directory, shown } = dependencies;
  const handleMembers = workspaceMembersEvents.handler(eventStore);
  const add = addMembers({ eventStore, handleMembers, directory });
  const remove = removeMembers({ eventStore, handleMembers, directory });
  return {
    async addMembers({ context: sent, workspaceRef, userIds: named }) {
      const context = commandContext(sent, clock.now());
      const { accountId } = context;
      const userIds = requireUserIds(named, perCall);
      const workspace = await requireWorkspace(readModel, accountId, workspaceRef);
      const { workspaceId } = workspace;
      if (await isImplicit(directory, workspace)) {
        await requireMembers(directory, accountId, userIds);
        const memberships = await findMemberships(dependencies, workspace, userIds);
        return { workspaceId, addedCount: 0, memberships };
      }
      const { state, members, position } = await add({ workspaceId, userIds }, context);
      await shown.members(position, context.signal);
      const memberships = addedMemberships(workspaceId, members, state);
      return { workspaceId, addedCount: memberships.length, memberships };
    },
    async removeMembers({ context: sent, workspaceRef, userIds: named }) {
      const context = commandContext(sent, clock.now());
      const userIds = requireUserIds(named, perCall);
      const workspace = await requireWorkspace(readModel, context.accountId, workspaceRef);
      if (await isImplicit(directory, workspace)) throw rejectionToFault(allBelong);
      const { workspaceId } = workspace;
      const { events, position } = await remove({ workspaceId, userIds }, context);
      await shown.members(position, context.signal);
      return { removedCount: events.length };
    },
  } satisfies Partial<Handlers>;
}

const allBelong = invalidRequest([
  { path: 'user_ids', message: 'all members of the account belong to this workspace' },
]);

function fromDirectory(dependencies: WorkspaceRpcDependencies) {
  const { eventStore, readModel, clock, shown } = dependencies;
  const handleMembers = workspaceMembersEvents.handler(eventStore);

  async function carryOut(
    command: WorkspaceMembersCommand,
    context: ReturnType<typeof commandContext>,
  ): Promise<readonly WorkspaceMembersEvent[]> {
    const handled = requireAccepted(await handleMembers(command.workspaceId, command, context));
    await shown.members(handled.position, context.signal);
    return handled.events;
  }

  return {
    async setDirectoryMemberships({ context: sent, workspaceId: named, memberships }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt } = context;
      const members = memberships.map(({ userId, role }) => ({ userId, role: requireRole(role) }));
      requireUserIds(
        memberships.map(({ userId }) => userId),
        perWorkspace,
      );
      const { workspaceId } = await requireWorkspace(readModel, accountId, named);
      const values = { accountId, workspaceId, members, occurredAt };
      const events = await carryOut({ type: 'SetDirectoryMembers', ...values }, context);
      const count = (type: WorkspaceMembersEvent['type']) =>
        events.filter((event) => event.type === type).length;
      return {
        addedCount: count('WorkspaceMemberAdded'),
        changedCount: count('WorkspaceMemberRoleChanged'),
        removedCount: count('WorkspaceMemberRemoved'),
      };
    },
    async keepDirectoryMembers({ context: sent, workspaceId: named, userIds: sentIds }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt } = context;
      const userIds = requireUserIds(sentIds, perWorkspace);
      const { workspaceId } = await requireWorkspace(readModel, accountId, named);
      const values = { accountId, workspaceId, userIds, occurredAt };
      await carryOut({ type: 'KeepDirectoryMembers', ...values }, context);
      return {};
    },
  } satisfies Partial<Handlers>;
}

function requireRole(text: string): WorkspaceRole {
  if (text === 'admin' || text === 'member') return text;
  const message = 'must be admin or member';
  throw invalidValue('role', message);
}
