import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { refusal } from '../domain/refusal/decide.ts';
import { refusalStream } from '../domain/refusal/events.ts';

/** The refusals of accounts, those of each account under its id. */
export const refusalEvents = aggregateEvents(refusal, refusalStream);
