import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { keyGuardrail } from '../domain/key-guardrail/decide.ts';
import { keyGuardrailStream } from '../domain/key-guardrail/events.ts';

/** The guardrails of keys, those of each key under its hash. */
export const keyGuardrailEvents = aggregateEvents(keyGuardrail, keyGuardrailStream);
