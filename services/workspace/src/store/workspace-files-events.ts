import { eventCodec } from '@sluice/es';
import { workspaceFilesStream } from '../domain/workspace-files/events.ts';

/** The storage format of the events of files. */
export const workspaceFilesEvents = eventCodec(workspaceFilesStream);
