import { eventId, retryPause } from '@sluice/clock-and-ids';
import { aggregateEventsWith } from '@sluice/es';

/** Returns the events of an aggregate, for its commands, its read models and its reactions. */
export const aggregateEvents = aggregateEventsWith({ eventId, retryPause });
