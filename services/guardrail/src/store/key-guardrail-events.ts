import { eventCodec } from '@sluice/es';
import { keyGuardrailStream } from '../domain/key-guardrail/events.ts';

/** The storage format of the guardrail of a key. */
export const keyGuardrailEvents = eventCodec(keyGuardrailStream);
