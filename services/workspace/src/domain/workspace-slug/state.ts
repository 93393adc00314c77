import type { WorkspaceSlugClaimed, WorkspaceSlugEvent } from './events.ts';

/** The last claim; of what became of it this knows nothing. */
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
