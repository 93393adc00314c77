import type { GuardrailPhrasesEvent } from './events.ts';

export interface GuardrailPhrases {
  readonly phrases: readonly string[];
}

export const initial: GuardrailPhrases = { phrases: [] };

export function evolve(_phrases: GuardrailPhrases, event: GuardrailPhrasesEvent): GuardrailPhrases {
  switch (event.type) {
    case 'GuardrailPhrasesSet':
      return { phrases: event.data.phrases };
  }
}
