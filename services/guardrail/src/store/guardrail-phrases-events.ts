import { eventCodec } from '@sluice/es';
import type { GuardrailPhrasesEvent } from '../domain/guardrail-phrases/events.ts';

/** How the allowed phrases of an account lie in streams `guardrailPhrases-<account id>`. */
export const guardrailPhrasesEvents = eventCodec<GuardrailPhrasesEvent>({
  current: { GuardrailPhrasesSet: 1 },
});

export const guardrailPhrasesStreamPrefix = 'guardrailPhrases-';
