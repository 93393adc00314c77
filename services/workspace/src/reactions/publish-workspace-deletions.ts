import { directoryStream, subjects } from '@sluice/bus';
import type { EventStore, RecordedEvent } from '@sluice/es';
import { WorkspaceDeleted } from '@sluice/protos/sluice/directory/v1/directory_events';
import { eachAtOnce, type Projection } from '@sluice/read-model';
import {
  workspaceEvents,
  workspaceIdOfStream,
  workspaceStreamPrefix,
} from '../store/workspace-events.ts';
import { loadWorkspace } from '../store/workspace-handler.ts';
import { type FactBus, publishFacts } from './publish-facts.ts';

/** A workspace is deleted once, and the order of workspaces does not matter. */
const atOnceMax = 64;

/**
 * Publishes the deletion of a workspace, so that other services end what depends on it. The bus has stored the
 * fact before the checkpoint moves.
 */
export function publishWorkspaceDeletions(bus: FactBus, eventStore: EventStore): Projection {
  const publishFact = publishFacts(bus, directoryStream);
  async function publish(recorded: RecordedEvent): Promise<void> {
    const event = workspaceEvents.decode(recorded);
    if (event.type !== 'WorkspaceDeleted') return;
    const workspaceId = workspaceIdOfStream(recorded.stream);
    const { state } = await loadWorkspace(eventStore, workspaceId);
    if (state.kind !== 'deleted') return;
    const { accountId, isDefault } = state;
    const fact: WorkspaceDeleted = {
      factId: `${workspaceId}@${recorded.revision}`,
      accountId,
      workspaceId,
      isDefault,
      occurredAt: event.data.changedAt,
    };
    const message = WorkspaceDeleted.toJSON(fact) as object;
    await publishFact(subjects.workspaceDeleted(accountId), fact.factId, message);
  }
  return {
    projection: 'workspace.publish_workspace_deletions',
    version: 1,
    streamPrefixes: [workspaceStreamPrefix],
    tables: [],
    async apply(_transaction, events) {
      await eachAtOnce(events, atOnceMax, publish);
    },
  };
}
