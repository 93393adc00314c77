import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { destinations } from '../domain/destinations/decide.ts';
import { destinationsStream } from '../domain/destinations/events.ts';

/** The events of destinations, all those of an account under its id. */
export const destinationEvents = aggregateEvents(destinations, destinationsStream);
