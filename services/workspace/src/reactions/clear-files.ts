import { requireAccepted } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import { type AccountReads, type Projection, streamReaction } from '@sluice/read-model';
import { workspaceEvents } from '../store/workspace-events.ts';
import { workspaceFilesHandler } from '../store/workspace-files-events.ts';
import { deletedWorkspace } from './deleted-workspace.ts';

/** One append to the log takes so many events. */
const most = 500;

/** Deletes all files of a deleted workspace. */
export function clearFiles({
  eventStore,
  readModel,
}: {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
}): Projection {
  const handle = workspaceFilesHandler(eventStore, readModel);
  const facts = { projection: 'workspace.clear_files', version: 1 };
  return streamReaction(workspaceEvents, facts, async (event, recorded) => {
    const deleted = await deletedWorkspace(eventStore, event, recorded);
    if (!deleted) return;
    const { values, contextOf } = deleted;
    const command = { type: 'ClearFiles', ...values, most } as const;
    for (let round = 0; ; round += 1) {
      const context = contextOf('clear files', String(round));
      const handled = requireAccepted(await handle(values.workspaceId, command, context));
      if (handled.events.length === 0 && !handled.handledBefore) return;
    }
  });
}
