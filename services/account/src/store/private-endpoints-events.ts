import { eventCodec } from '@sluice/es';
import { privateEndpointsStream } from '../domain/private-endpoints/events.ts';

/** The storage format of the events of private endpoints. */
export const privateEndpointsEvents = eventCodec(privateEndpointsStream);
