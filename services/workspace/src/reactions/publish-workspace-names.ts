import { createFactPublisher, entityToken, type FactBus, nameStream, subjects } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { type Projection, publishLatest } from '@sluice/read-model';
import { workspaceEvents } from '../store/workspace-events.ts';

const naming: ReadonlySet<string> = new Set([
  'WorkspaceCreated',
  'WorkspaceUpdated',
  'WorkspaceDeleted',
]);

/**
 * Publishes what a workspace is called, and that it is deleted: the bus has stored the fact before the
 * checkpoint moves. Each batch publishes the last name of each workspace, and batches follow the log, so the newest
 * name comes last. A workspace that begins in the batch is not read from the event store again.
 */
export function publishWorkspaceNames(bus: FactBus, eventStore: EventStore): Projection {
  const publishFact = createFactPublisher(bus, nameStream);
  return publishLatest({
    projection: 'workspace.publish_workspace_names',
    version: 1,
    eventStore,
    events: workspaceEvents,
    concerns: ({ type }) => naming.has(type),
    async publish({ id: workspaceId, state, revision, history, recorded }) {
      if (state.kind === 'none') return;
      const isDeleted = state.kind === 'deleted';
      const fact: EntityNamed = {
        factId: `workspace:${workspaceId}@${history.published(revision)}`,
        kind: 'workspace',
        entityId: workspaceId,
        accountId: state.accountId,
        name: isDeleted ? '' : state.settings.name,
        email: '',
        state: isDeleted ? 'deleted' : 'named',
        occurredAt: recorded.recordedAt.toISOString(),
      };
      const entity = entityToken('workspace', workspaceId);
      const message = EntityNamed.toJSON(fact) as object;
      await publishFact(subjects.entityNamed(entity), fact.factId, message);
    },
  });
}
