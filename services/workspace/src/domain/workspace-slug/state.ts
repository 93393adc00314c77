import type { WorkspaceSlugClaimed, WorkspaceSlugEvent } from './events.ts';

/** The last claim of the slug. The state of the workspace says what became of it. */
export type WorkspaceSlug =
  | { readonly kind: 'unclaimed' }
  | ({ readonly kind: 'claimed' } & WorkspaceSlugClaimed['data']);

export const initial: WorkspaceSlug = { kind: 'unclaimed' };

export function evolve(_slug: WorkspaceSlug, event: WorkspaceSlugEvent): WorkspaceSlug {
  switch (event.type) {
    case 'WorkspaceSlugClaimed':
      return { kind: 'claimed', ...event.data };
  }
}
