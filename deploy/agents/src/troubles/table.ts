import { play } from '../job/play.ts';
import { agents } from '../programs/table.ts';
import { once, outputsOf, type Trouble } from './trouble.ts';

const cutShort = /The answer of the provider was cut short/;
/** After this time each reader of the key has received the notice that it is disabled. */
const heard = 'wait-2000';

/** The troubles that agents must understand. */
export const troubles: readonly Trouble[] = [
  {
    name: 'context too long',
    script: once(2, 'too-long'),
    // It compacts before the next turn.
    stops: { codex: /ran out of room in the model's context window/ },
  },
  { name: 'rate limit', script: once(1, 'error-429'), stops: {} },
  { name: 'overloaded', script: once(1, 'error-503'), stops: {} },
  {
    name: 'cut stream',
    script: once(1, 'cut-2'),
    // They try again what broke off without a word only.
    stops: { qwen: cutShort, cline: cutShort },
  },
  {
    name: 'no credit',
    script: () => play,
    limitUsd: 0.000_001,
    stops: everybody(/Key limit of \$0\.000001/),
  },
  {
    name: 'revoked key',
    script: (key) => (prompt) => {
      const played = play(prompt);
      if (outputsOf(prompt) !== 1 || !played) return played;
      void key.disable();
      return { ...played, directives: [heard] };
    },
    stops: everybody(/Invalid credentials/),
  },
];

function everybody(words: RegExp): Trouble['stops'] {
  return Object.fromEntries(agents.map(({ name }) => [name, words]));
}
