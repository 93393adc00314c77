import { commandHandler, eventCodec, type EventStore, loadAggregate } from '@sluice/es';
import { eventId, retryPause } from '@sluice/clock-and-ids';
import { destinations } from '../domain/destinations/decide.ts';
import { destinationsStream } from '../domain/destinations/events.ts';

/** The storage format of the events of destinations. */
export const destinationEvents = eventCodec(destinationsStream);

/** Handles the commands of destinations, all those of an account under its id. */
export function destinationHandler(store: EventStore) {
  return commandHandler(destinations, destinationEvents, { store, eventId, retryPause });
}

/** Returns the destinations of an account as they are in the log now, and whether the command made them so. */
export async function loadDestinations(store: EventStore, accountId: string, commandId?: string) {
  return loadAggregate(store, destinations, destinationEvents, accountId, commandId);
}

/** Returns the account that a stream of destinations is named after. */
export function accountOfDestinationStream(stream: string): string {
  return stream.slice(destinationEvents.streamPrefix.length);
}
