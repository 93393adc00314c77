import { eventCodec } from '@sluice/es';
import type { WorkspaceEvent } from '../domain/workspace/events.ts';

/** How the events of a workspace lie in streams `workspace-<workspace id>`. */
export const workspaceEvents = eventCodec<WorkspaceEvent>({ current: { WorkspaceCreated: 1 } });

export const workspaceStreamPrefix = 'workspace-';
