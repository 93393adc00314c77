import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { byok } from '../domain/byok/decide.ts';
import { byokStream } from '../domain/byok/events.ts';

/** The events of provider credentials, all those of an account under its id. */
export const byokEvents = aggregateEvents(byok, byokStream);
export type ByokHandler = ReturnType<typeof byokEvents.handler>;
