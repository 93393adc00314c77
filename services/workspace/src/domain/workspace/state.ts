import type { WorkspaceCreated, WorkspaceEvent } from './events.ts';

export type Workspace =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'created' } & WorkspaceCreated['data']);

export const initial: Workspace = { kind: 'none' };

export function evolve(_workspace: Workspace, event: WorkspaceEvent): Workspace {
  switch (event.type) {
    case 'WorkspaceCreated':
      return { kind: 'created', ...event.data };
  }
}
