import { commandHandler, eventCodec, type EventStore } from '@sluice/es';
import { derivedId, eventId, retryPause } from '@sluice/clock-and-ids';
import { preset } from '../domain/preset/decide.ts';
import { presetStream } from '../domain/preset/events.ts';

/** The storage format of the events of a preset. */
export const presetEvents = eventCodec(presetStream);

/** Returns the id of a preset. It is a function of the slug, so no two of a workspace have the same. */
export function presetId(workspaceId: string, slug: string): string {
  return derivedId('preset', workspaceId, slug);
}

/** Handles the commands of presets, each preset under its id. */
export function presetHandler(store: EventStore) {
  return commandHandler(preset, presetEvents, { store, eventId, retryPause });
}
