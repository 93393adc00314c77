import { event, type EventOf, instant } from '@sluice/es';
import { Type } from 'typebox';

/** The phrases that an account allows. Names and shapes are the storage format. */
export const guardrailPhrasesStream = {
  category: 'guardrailPhrases',
  id: '<account id>',
  description: 'The phrases that an account allows.',
  events: {
    GuardrailPhrasesSet: event('These phrases, and no others, are allowed from now on.', {
      accountId: Type.String(),
      phrases: Type.Array(Type.String()),
      setAt: instant,
    }),
  },
};
export type GuardrailPhrasesEvent = EventOf<typeof guardrailPhrasesStream>;
export type GuardrailPhrasesSet = EventOf<typeof guardrailPhrasesStream, 'GuardrailPhrasesSet'>;
