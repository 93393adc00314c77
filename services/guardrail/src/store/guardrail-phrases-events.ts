import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { guardrailPhrases } from '../domain/guardrail-phrases/decide.ts';
import { guardrailPhrasesStream } from '../domain/guardrail-phrases/events.ts';

/** The allowed phrases of accounts, those of each account under its id. */
export const guardrailPhrasesEvents = aggregateEvents(guardrailPhrases, guardrailPhrasesStream);
