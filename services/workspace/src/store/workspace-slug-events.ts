import { commandHandler, eventCodec, type EventStore, loadAggregate } from '@sluice/es';
import { derivedId, eventId, retryPause } from '@sluice/clock-and-ids';
import { workspaceSlug } from '../domain/workspace-slug/decide.ts';
import { workspaceSlugStream } from '../domain/workspace-slug/events.ts';
import type { WorkspaceSlug } from '../domain/workspace-slug/state.ts';

/** The storage format of the events of a slug. */
export const workspaceSlugEvents = eventCodec(workspaceSlugStream);

export interface SlugOfAccount {
  readonly accountId: string;
  readonly slug: string;
}

/** Returns the id in the name of a slug's stream. */
export function slugId({ accountId, slug }: SlugOfAccount): string {
  return derivedId('workspace slug', accountId, slug);
}

export type WorkspaceSlugHandler = ReturnType<typeof workspaceSlugHandler>;

/** Handles the commands of slugs, each slug of each account for itself. */
export function workspaceSlugHandler(store: EventStore) {
  return commandHandler(workspaceSlug, workspaceSlugEvents, { store, eventId, retryPause });
}

/** The slug as it is in the log now. */
export async function loadSlug(store: EventStore, slug: SlugOfAccount): Promise<WorkspaceSlug> {
  return (await loadAggregate(store, workspaceSlug, workspaceSlugEvents, slugId(slug))).state;
}
