import { eventCodec } from '@sluice/es';
import type { RefusalEvent } from '../domain/refusal/events.ts';

/** The storage format of refusals in streams `audit-<account id>`. */
export const refusalEvents = eventCodec<RefusalEvent>({ current: { CommandRefused: 1 } });

export const refusalStreamPrefix = 'audit-';
