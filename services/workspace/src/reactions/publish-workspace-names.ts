import { type Bus, entityToken, namePublisher, subjects } from '@sluice/bus';
import { aggregateAfter, byStream, type EventStore, type RecordedEvent } from '@sluice/es';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { currentHistory, eachAtOnce, type History, type Projection } from '@sluice/read-model';
import { workspace } from '../domain/workspace/decide.ts';
import {
  workspaceEvents,
  workspaceIdOfStream,
  workspaceStreamPrefix,
} from '../store/workspace-events.ts';

const naming: ReadonlySet<string> = new Set([
  'WorkspaceCreated',
  'WorkspaceUpdated',
  'WorkspaceDeleted',
]);

/** Neither order nor repetition matters, and each waits for the bus to store it. */
const atOnceMax = 64;

/**
 * Publishes what a workspace is called, and that it is deleted: the bus has stored the fact before the
 * checkpoint moves. Each batch publishes the last name of each workspace, and batches follow the log, so the newest
 * name comes last. A workspace that begins in the batch is not read from the event store again.
 */
export function publishWorkspaceNames(
  bus: Pick<Bus, 'publishFact' | 'ensureStream'>,
  eventStore: EventStore,
): Projection {
  const names = namePublisher(bus);
  async function publish(events: readonly RecordedEvent[], history: History): Promise<void> {
    const last = events.findLast((recorded) => naming.has(workspaceEvents.decode(recorded).type));
    if (last === undefined) return;
    const occurredAt = last.recordedAt.toISOString();
    const workspaceId = workspaceIdOfStream(last.stream);
    const after = await aggregateAfter(eventStore, workspace, workspaceEvents, workspaceId, events);
    const { state, revision } = after;
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
      await eachAtOnce(byStream(events), atOnceMax, ([, ofOne]) => publish(ofOne, history));
    },
  };
}
