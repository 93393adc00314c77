import { type Bus, type PublishNoticeOptions, subjects } from '@sluice/bus';
import type { EventStore, Position } from '@sluice/es';
import { WorkspaceChanged } from '@sluice/protos/sluice/workspace/v1/workspace_events';
import { eachAtOnce, type Projection, requireHeld } from '@sluice/read-model';
import { workspaceEvents } from '../store/workspace-events.ts';

export type WorkspaceChangeBus = Pick<Bus, 'publishNotice'>;

/** A batch is applied again when its notices are not stored after this time. */
const storedMsMax = 5_000;
const atOnceMax = 16;

/**
 * Notifies the processes that cache workspaces of the account. Resolves when the notice is stored. Throws
 * bus_unavailable.
 */
export async function publishWorkspaceChange(
  bus: WorkspaceChangeBus,
  change: { readonly accountId: string },
  options?: PublishNoticeOptions,
): Promise<void> {
  const message = WorkspaceChanged.toJSON(change) as object;
  await bus.publishNotice(subjects.workspaceChanged(change.accountId), message, options);
}

export interface WorkspaceChangesDependencies {
  readonly bus: WorkspaceChangeBus;
  readonly eventStore: EventStore;
  /** Resolves with false when the read models do not hold the position in time. */
  readonly projected: (position: Position) => Promise<boolean>;
}

/**
 * Publishes each change of a workspace once the read models show it, also when the process that made the change
 * died before it could. Throws while the bus is away.
 */
export function publishWorkspaceChanges({
  bus,
  eventStore,
  projected,
}: WorkspaceChangesDependencies): Projection {
  return {
    projection: 'workspace.publish_workspace_changes',
    version: 1,
    streamPrefixes: [workspaceEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      await requireHeld(projected, events);
      const workspaceIds = new Set(events.map(({ stream }) => workspaceEvents.idOf(stream)));
      await eachAtOnce(workspaceIds, atOnceMax, async (workspaceId) => {
        const { state } = await workspaceEvents.load(eventStore, workspaceId);
        if (state.kind !== 'none')
          await publishWorkspaceChange(
            bus,
            { accountId: state.accountId },
            { timeoutMs: storedMsMax },
          );
      });
    },
    async applySetAside(connection, streams) {
      const rows = await connection.query<{ accountId: string }>({
        text: 'SELECT DISTINCT account_id AS "accountId" FROM workspace_states WHERE id = ANY ($1)',
        values: [streams.map(workspaceEvents.idOf)],
      });
      for (const { accountId } of rows)
        await publishWorkspaceChange(bus, { accountId }, { timeoutMs: storedMsMax });
    },
  };
}
