import { type Bus, subjects } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import { comparePositions, type EventStore, type Position } from '@sluice/es';
import { WorkspaceChanged } from '@sluice/protos/sluice/workspace/v1/workspace_events';
import type { Projection } from '@sluice/read-model';
import { workspaceIdOfStream, workspaceStreamPrefix } from '../store/workspace-events.ts';
import { loadWorkspace } from '../store/workspace-handler.ts';

export type WorkspaceChangeBus = Pick<Bus, 'publish' | 'isConnected' | 'flush'>;

/** Tells the processes that remember workspaces of the account. Best effort: never throws. */
export function publishWorkspaceChange(
  bus: Pick<Bus, 'publish'>,
  change: { readonly accountId: string },
): void {
  const message = WorkspaceChanged.toJSON(change) as object;
  bus.publish(subjects.workspaceChanged(change.accountId), message);
}

export interface WorkspaceChangesDependencies {
  readonly bus: WorkspaceChangeBus;
  readonly eventStore: EventStore;
  /** Resolves with false when the read models do not hold the position in time. */
  readonly projected: (position: Position) => Promise<boolean>;
}

/**
 * Publishes each change of a workspace once the read models show it, also when the process that made the change
 * died before it could. Waits for a bus that is away instead of publishing into the void.
 */
export function publishWorkspaceChanges({
  bus,
  eventStore,
  projected,
}: WorkspaceChangesDependencies): Projection {
  return {
    projection: 'workspace.publish_workspace_changes',
    version: 1,
    streamPrefixes: [workspaceStreamPrefix],
    tables: [],
    async apply(_transaction, events) {
      if (!bus.isConnected()) throw new Fault('bus_unavailable');
      const last = events
        .map(({ position }) => position)
        .toSorted(comparePositions)
        .at(-1);
      if (last && !(await projected(last))) throw new Fault('read_model_unavailable');
      const workspaceIds = new Set(events.map(({ stream }) => workspaceIdOfStream(stream)));
      for (const workspaceId of workspaceIds) {
        const { state } = await loadWorkspace(eventStore, workspaceId);
        if (state.kind !== 'none') publishWorkspaceChange(bus, { accountId: state.accountId });
      }
      await bus.flush();
    },
  };
}
