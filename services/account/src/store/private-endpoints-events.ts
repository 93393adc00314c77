import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { privateEndpoints } from '../domain/private-endpoints/decide.ts';
import { privateEndpointsStream } from '../domain/private-endpoints/events.ts';

/** The events of private endpoints, those of an organization under its id. */
export const privateEndpointsEvents = aggregateEvents(privateEndpoints, privateEndpointsStream);
export type PrivateEndpointsHandler = ReturnType<typeof privateEndpointsEvents.handler>;
