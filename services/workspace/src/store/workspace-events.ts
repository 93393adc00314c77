import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { workspace } from '../domain/workspace/decide.ts';
import { workspaceStream } from '../domain/workspace/events.ts';
import { defaultSettings } from '../domain/workspace/settings.ts';

/** The events of workspaces, those of each workspace under its id. */
export const workspaceEvents = aggregateEvents(workspace, workspaceStream, {
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
export type WorkspaceHandler = ReturnType<typeof workspaceEvents.handler>;
