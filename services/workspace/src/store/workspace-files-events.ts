import { aggregateEvents } from '@sluice/boot/aggregate-events';
import type { EventStore } from '@sluice/es';
import type { AccountReads } from '@sluice/read-model';
import { workspaceFiles } from '../domain/workspace-files/decide.ts';
import { workspaceFilesStream } from '../domain/workspace-files/events.ts';
import { knownFiles } from './known-files.ts';

/** The events of files, those of each workspace under its id. */
export const workspaceFilesEvents = aggregateEvents(workspaceFiles, workspaceFilesStream);
export type WorkspaceFilesHandler = ReturnType<typeof workspaceFilesEvents.handler>;

/**
 * Returns the handler of commands of files. Models write files without an end, so a command begins with the rows of the
 * read model and reads the events after them.
 */
export function workspaceFilesHandler(store: EventStore, readModel: AccountReads) {
  return workspaceFilesEvents.handler(store, (_workspaceId, command) =>
    knownFiles(readModel, command),
  );
}
