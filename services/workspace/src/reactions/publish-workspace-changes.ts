import { accountNotice, type Bus, reactionNotice, subjects } from '@sluice/bus';
import type { EventStore, Position } from '@sluice/es';
import { WorkspaceChanged } from '@sluice/protos/sluice/workspace/v1/workspace_events';
import { eachAtOnce, type Projection, requireHeld } from '@sluice/read-model';
import { workspaceEvents } from '../store/workspace-events.ts';

const atOnceMax = 16;

/** Notifies the processes that cache workspaces of the account. */
export const publishWorkspaceChange = accountNotice(WorkspaceChanged, subjects.workspaceChanged);

export interface WorkspaceChangesDependencies {
  readonly bus: Pick<Bus, 'publishNotice'>;
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
        if (state.kind === 'none') return;
        await publishWorkspaceChange(bus, { accountId: state.accountId }, reactionNotice);
      });
    },
    async applySetAside(connection, streams) {
      const rows = await connection.query<{ accountId: string }>({
        text: 'SELECT DISTINCT account_id AS "accountId" FROM workspace_states WHERE id = ANY ($1)',
        values: [streams.map(workspaceEvents.idOf)],
      });
      for (const { accountId } of rows)
        await publishWorkspaceChange(bus, { accountId }, reactionNotice);
    },
  };
}
