import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { derivedId } from '@sluice/clock-and-ids';
import { preset } from '../domain/preset/decide.ts';
import { presetStream } from '../domain/preset/events.ts';

/** The events of presets, those of each preset under `presetId`. */
export const presetEvents = aggregateEvents(preset, presetStream);

/** Returns the id of a preset. It is a function of the slug, so no two of a workspace have the same. */
export function presetId(workspaceId: string, slug: string): string {
  return derivedId('preset', workspaceId, slug);
}
