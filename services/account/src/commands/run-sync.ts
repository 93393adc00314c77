import { Fault, requireAccepted } from '@sluice/errors';
import type { EventStore, WithoutContext } from '@sluice/es';
import type { Projector } from '@sluice/read-model';
import { type Clock, derivedId, type Ids } from '@sluice/clock-and-ids';
import type { DirectorySnapshot, DirectorySource } from '../directory/directory-source.ts';
import type { PullCommand, PulledGroup } from '../domain/scim-directory/commands.ts';
import { pull } from '../domain/scim-directory/pull.ts';
import { isLiving, type ScimDirectory } from '../domain/scim-directory/state.ts';
import type { SyncOutcome } from '../domain/scim-sync/decide.ts';
import { scimDirectoryEvents } from '../store/scim-directory-events.ts';
import { scimSyncEvents } from '../store/scim-sync-events.ts';

export interface RunSyncDependencies {
  readonly eventStore: EventStore;
  readonly directory: DirectorySource;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly signal: AbortSignal;
  /** Waits until all that follows from a position in the log is done, and can be seen. */
  readonly provisioned: Projector['waitFor'];
}

export interface Job {
  readonly accountId: string;
  readonly jobId: string;
}

const usersPerCommand = 1_000;
const groupsPerCommand = 100;
const membersPerCommand = 2_000;
const provisionedTimeoutMs = 30_000;

/**
 * Pulls the directory of an organization and writes down what is new. Each step says only what is not
 * in the log yet, so that a job that is run again after a crash pulls again and goes on from there. A
 * job that is finished is left alone.
 */
export function runSync(dependencies: RunSyncDependencies) {
  const { eventStore, directory, clock, signal, provisioned } = dependencies;
  const handle = scimSyncEvents.handler(eventStore);
  return async (job: Job): Promise<void> => {
    const { accountId, jobId } = job;
    const context = (step: string) => ({
      commandId: derivedId(step, accountId, jobId),
      requestId: `sync-${jobId}`,
      occurredAt: clock.now().toISOString(),
      actor,
    });
    const starting = context('start sync');
    const { occurredAt } = starting;
    const started = requireAccepted(
      await handle(accountId, { type: 'StartSync', ...job, occurredAt }, starting),
    );
    if (started.state.open?.jobId !== jobId) return;
    const outcome = await pulled();
    const finishing = context('finish sync');
    const finish = {
      type: 'FinishSync',
      ...job,
      outcome,
      occurredAt: finishing.occurredAt,
    } as const;
    await handle(accountId, finish, finishing);

    async function pulled(): Promise<SyncOutcome> {
      const answer = await directory.pull(accountId, signal);
      if (signal.aborted) throw new Fault('unavailable');
      if (answer.kind === 'failed') return failed(answer.reason);
      await apply(dependencies, job, answer.snapshot);
      // Include the changes of an earlier run, which may have died before the reactions followed.
      const { state, position } = await scimDirectoryEvents.load(eventStore, accountId);
      if (!(await provisioned(position, provisionedTimeoutMs)))
        throw new Fault('unavailable', { message: 'the workspaces are behind the directory' });
      return countsOf(state, jobId);
    }
  };
}

const actor = { type: 'system', id: 'directory' } as const;

/** Appends the changes. */
async function apply(
  { eventStore, clock, ids }: RunSyncDependencies,
  { accountId, jobId }: Job,
  snapshot: DirectorySnapshot,
): Promise<void> {
  const handle = scimDirectoryEvents.handler(eventStore);
  let known = (await scimDirectoryEvents.load(eventStore, accountId)).state;
  /** False: there was nothing to say. */
  async function carryOut(asked: WantedPull): Promise<boolean> {
    const occurredAt = clock.now().toISOString();
    const command = { ...asked, accountId, jobId, occurredAt };
    // Most of a directory is as it was: that is seen without reading the log again.
    if (pull(command, known).length === 0) return false;
    const context = { commandId: ids.next(), requestId: `sync-${jobId}`, occurredAt, actor };
    const handled = requireAccepted(await handle(accountId, command, context));
    known = handled.state;
    return handled.events.length > 0;
  }
  for (const users of userSlices(snapshot)) await carryOut({ type: 'ApplyUsers', users });
  const userIds = new Set(snapshot.users.map(({ externalId }) => externalId));
  while (await carryOut({ type: 'RetireUsers', presentIds: userIds }));
  const groups = snapshot.groups.map((group) => ({
    groupId: derivedId('scim group', accountId, group.externalId),
    ...group,
  }));
  for (const some of groupSlices(groups)) await carryOut({ type: 'ApplyGroups', groups: some });
  const groupIds = new Set(groups.map(({ groupId }) => groupId));
  await carryOut({ type: 'DeleteMissingGroups', presentIds: groupIds });
}

type WantedPull = WithoutContext<PullCommand, 'accountId' | 'jobId' | 'occurredAt'>;

function countsOf(directory: ScimDirectory, jobId: string): SyncOutcome {
  const groups = [...directory.groups.values()];
  return {
    status: 'succeeded',
    syncedGroups: groups.filter(({ groupId }) => isLiving(directory, groupId)).length,
    deletedGroups: groups.filter(({ deletedBy }) => deletedBy === jobId).length,
    errorMessage: null,
  };
}

function failed(errorMessage: string): SyncOutcome {
  return { status: 'failed', syncedGroups: null, deletedGroups: null, errorMessage };
}

function* userSlices({ users }: DirectorySnapshot) {
  for (let from = 0; from < users.length; from += usersPerCommand)
    yield users.slice(from, from + usersPerCommand);
}

/** So many that one append holds all that may be new of them. */
function* groupSlices(groups: readonly PulledGroup[]): Iterable<readonly PulledGroup[]> {
  let slice: PulledGroup[] = [];
  let members = 0;
  for (const group of groups) {
    const isFull =
      slice.length >= groupsPerCommand || members + group.memberIds.length > membersPerCommand;
    if (isFull && slice.length > 0) {
      yield slice;
      slice = [];
      members = 0;
    }
    slice.push(group);
    members += group.memberIds.length;
  }
  if (slice.length > 0) yield slice;
}
