import { type Bus, subjects } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import { WorkspaceChanged } from '@sluice/protos/sluice/workspace/v1/workspace_events';
import type { Projection } from '@sluice/read-model';
import { workspaceIdOfStream, workspaceStreamPrefix } from '../store/workspace-events.ts';
import { loadWorkspace } from '../store/workspace-handler.ts';

export type WorkspaceChangeBus = Pick<Bus, 'publish' | 'isConnected' | 'flush'>;

/** Tells whoever holds something of the account's workspaces to forget it. Best effort: never throws. */
export function publishWorkspaceChange(
  bus: Pick<Bus, 'publish'>,
  change: { readonly accountId: string },
): void {
  const message = WorkspaceChanged.toJSON(change) as object;
  bus.publish(subjects.workspaceChanged(change.accountId), message);
}

/**
 * When a workspace changed, everybody is told, also when the process that changed it died before it
 * could say so. Waits for a bus that is away instead of publishing into the void.
 */
export function publishWorkspaceChanges(
  bus: WorkspaceChangeBus,
  eventStore: EventStore,
): Projection {
  return {
    projection: 'workspace.publish_workspace_changes',
    version: 1,
    streamPrefixes: [workspaceStreamPrefix],
    tables: [],
    async apply(_transaction, events) {
      if (!bus.isConnected()) throw new Fault('bus_unavailable');
      const workspaceIds = new Set(events.map(({ stream }) => workspaceIdOfStream(stream)));
      for (const workspaceId of workspaceIds) {
        const { state } = await loadWorkspace(eventStore, workspaceId);
        if (state.kind !== 'none') publishWorkspaceChange(bus, { accountId: state.accountId });
      }
      await bus.flush();
    },
  };
}
