import { createFactPublisher, directoryStream, type FactBus, subjects } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { WorkspaceDeleted } from '@sluice/protos/sluice/directory/v1/directory_events';
import { type Projection, publishLatest } from '@sluice/read-model';
import { workspaceEvents } from '../store/workspace-events.ts';

/**
 * Publishes the deletion of a workspace, so that other services end what depends on it. The bus has stored the
 * fact before the checkpoint moves.
 */
export function publishWorkspaceDeletions(bus: FactBus, eventStore: EventStore): Projection {
  const publishFact = createFactPublisher(bus, directoryStream);
  return publishLatest({
    projection: 'workspace.publish_workspace_deletions',
    version: 1,
    eventStore,
    events: workspaceEvents,
    concerns: ({ type }) => type === 'WorkspaceDeleted',
    async publish({ id: workspaceId, state, event, recorded }) {
      if (state.kind !== 'deleted' || event.type !== 'WorkspaceDeleted') return;
      const { accountId, isDefault } = state;
      const { changedAt: occurredAt } = event.data;
      const factId = `${workspaceId}@${recorded.revision}`;
      const fact: WorkspaceDeleted = { factId, accountId, workspaceId, isDefault, occurredAt };
      const message = WorkspaceDeleted.toJSON(fact) as object;
      await publishFact(subjects.workspaceDeleted(accountId), fact.factId, message);
    },
  });
}
