import { commandHandler, type EventStore, loadAggregate } from '@sluice/es';
import { eventId, retryPause } from '@sluice/clock-and-ids';
import { privateEndpoints } from '../domain/private-endpoints/decide.ts';
import { privateEndpointsEvents } from './private-endpoints-events.ts';

export type PrivateEndpointsHandler = ReturnType<typeof privateEndpointsHandler>;

/** Handles the commands of private endpoints, those of an organization under its id. */
export function privateEndpointsHandler(store: EventStore) {
  return commandHandler(privateEndpoints, privateEndpointsEvents, { store, eventId, retryPause });
}

/** Returns the private endpoints of an organization as they are in the log now. */
export async function loadPrivateEndpoints(store: EventStore, accountId: string) {
  return loadAggregate(store, privateEndpoints, privateEndpointsEvents, accountId);
}
