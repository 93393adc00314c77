import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { derivedId } from '@sluice/clock-and-ids';
import { workspaceSlug } from '../domain/workspace-slug/decide.ts';
import { workspaceSlugStream } from '../domain/workspace-slug/events.ts';

/** The events of slugs, those of each slug of each account under `slugId`. */
export const workspaceSlugEvents = aggregateEvents(workspaceSlug, workspaceSlugStream);
export type WorkspaceSlugHandler = ReturnType<typeof workspaceSlugEvents.handler>;

export interface SlugOfAccount {
  readonly accountId: string;
  readonly slug: string;
}

/** Returns the id in the name of a slug's stream. */
export function slugId({ accountId, slug }: SlugOfAccount): string {
  return derivedId('workspace slug', accountId, slug);
}
