import { type Bus, entityToken, namePublisher, subjects } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { currentHistory, type History, type Projection } from '@sluice/read-model';
import {
  workspaceEvents,
  workspaceIdOfStream,
  workspaceStreamPrefix,
} from '../store/workspace-events.ts';
import { loadWorkspace } from '../store/workspace-handler.ts';

const naming: ReadonlySet<string> = new Set([
  'WorkspaceCreated',
  'WorkspaceUpdated',
  'WorkspaceDeleted',
]);

/**
 * Publishes what a workspace is called, and that it is deleted: the bus has stored the fact before the
 * checkpoint moves. The name is that of the log now, so that an event that is read late publishes no old name.
 */
export function publishWorkspaceNames(
  bus: Pick<Bus, 'publishFact' | 'ensureStream'>,
  eventStore: EventStore,
): Projection {
  const names = namePublisher(bus);
  async function publish(workspaceId: string, occurredAt: string, history: History): Promise<void> {
    const { state, revision } = await loadWorkspace(eventStore, workspaceId);
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
      occurredAt,
    };
    const message = EntityNamed.toJSON(fact) as object;
    const entity = entityToken('workspace', workspaceId);
    await names.publishFact(subjects.entityNamed(entity), fact.factId, message);
  }
  return {
    projection: 'workspace.publish_workspace_names',
    version: 1,
    streamPrefixes: [workspaceStreamPrefix],
    tables: [],
    async apply(transaction, events) {
      const history = await currentHistory(transaction);
      for (const recorded of events) {
        if (!naming.has(workspaceEvents.decode(recorded).type)) continue;
        const workspaceId = workspaceIdOfStream(recorded.stream);
        await publish(workspaceId, recorded.recordedAt.toISOString(), history);
      }
    },
  };
}
