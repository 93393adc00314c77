import { eventCodec } from '@sluice/es';
import { workspaceStream } from '../domain/workspace/events.ts';
import { defaultSettings } from '../domain/workspace/settings.ts';

/** The storage format of the events of a workspace. */
export const workspaceEvents = eventCodec(workspaceStream, {
  WorkspaceCreated: [
    // In version 1 a workspace had only its name and its slug.
    ({ name, slug, ...data }) => ({
      ...data,
      settings: { name, slug, ...defaultSettings },
      createdBy: null,
    }),
    // In version 2 plugins had no defaults.
    ({ settings, ...data }) => ({
      ...data,
      settings: { ...defaultSettings, ...(settings as object) },
    }),
  ],
});

/** The id that a stream of a workspace is named after. */
export function workspaceIdOfStream(stream: string): string {
  return stream.slice(workspaceEvents.streamPrefix.length);
}
