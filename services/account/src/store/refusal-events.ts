import { eventCodec } from '@sluice/es';
import { refusalStream } from '../domain/refusal/events.ts';

/** The storage format of refusals. */
export const refusalEvents = eventCodec(refusalStream);
