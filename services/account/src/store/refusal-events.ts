import { eventCodec } from '@sluice/es';
import type { RefusalEvent } from '../domain/refusal/events.ts';

/** How what was refused lies in streams `audit-<account id>`. */
export const refusalEvents = eventCodec<RefusalEvent>({ current: { CommandRefused: 1 } });

export const refusalStreamPrefix = 'audit-';
