import { eventCodec } from '@sluice/es';
import { guardrailPhrasesStream } from '../domain/guardrail-phrases/events.ts';

/** The storage format of the allowed phrases of an account. */
export const guardrailPhrasesEvents = eventCodec(guardrailPhrasesStream);
