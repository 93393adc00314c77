import { eventCodec } from '@sluice/es';
import type { WorkspaceEvent } from '../domain/workspace/events.ts';
import { defaultSettings } from '../domain/workspace/settings.ts';

/** How the events of a workspace lie in streams `workspace-<workspace id>`. */
export const workspaceEvents = eventCodec<WorkspaceEvent>({
  current: {
    WorkspaceCreated: 2,
    WorkspaceUpdated: 1,
    WorkspaceBudgetSet: 1,
    WorkspaceBudgetRemoved: 1,
    WorkspaceByokBudgetPolicyChanged: 1,
    WorkspaceDeleted: 1,
  },
  upcasters: {
    WorkspaceCreated: {
      // A workspace had only its name and its slug.
      1: ({ name, slug, ...data }) => ({
        ...data,
        settings: { name, slug, ...defaultSettings },
        createdBy: null,
      }),
    },
  },
});

export const workspaceStreamPrefix = 'workspace-';

/** The id that a stream of a workspace is named after. */
export function workspaceIdOfStream(stream: string): string {
  return stream.slice(workspaceStreamPrefix.length);
}
