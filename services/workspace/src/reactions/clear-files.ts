import { derivedId } from '@sluice/clock-and-ids';
import { requireAccepted } from '@sluice/errors';
import { type EventStore, type RecordedEvent, systemContext } from '@sluice/es';
import type { AccountReads, Projection } from '@sluice/read-model';
import { workspaceEvents } from '../store/workspace-events.ts';
import { workspaceFilesHandler } from '../store/workspace-files-events.ts';

/** One append to the log takes so many events. */
const most = 500;

/**
 * Deletes all files of a deleted workspace. The ids of the commands are functions of the deletion and their place, so
 * that a process that died on the way goes on where it stopped.
 */
export function clearFiles({
  eventStore,
  readModel,
}: {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
}): Projection {
  const handle = workspaceFilesHandler(eventStore, readModel);
  async function clear(recorded: RecordedEvent): Promise<void> {
    const event = workspaceEvents.decode(recorded);
    if (event.type !== 'WorkspaceDeleted') return;
    const workspaceId = workspaceEvents.idOf(recorded.stream);
    const { state } = await workspaceEvents.load(eventStore, workspaceId);
    if (state.kind !== 'deleted') return;
    const { accountId } = state;
    const occurredAt = event.data.changedAt;
    const command = { type: 'ClearFiles', accountId, workspaceId, most, occurredAt } as const;
    for (let round = 0; ; round += 1) {
      const commandId = derivedId('clear files', recorded.id, String(round));
      const context = systemContext('workspace', { commandId, cause: 'deletion', occurredAt });
      const handled = requireAccepted(await handle(workspaceId, command, context));
      if (handled.events.length === 0 && !handled.handledBefore) return;
    }
  }
  return {
    projection: 'workspace.clear_files',
    version: 1,
    streamPrefixes: [workspaceEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      for (const recorded of events) await clear(recorded);
    },
  };
}
