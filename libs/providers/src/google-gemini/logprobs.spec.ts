import { expect, test } from 'vitest';
import { readLogprobs } from './logprobs.ts';

const a = { token: 'a', logProbability: -1 };
const b = { token: 'é', logProbability: -2 };

test('each chosen token stands beside the likeliest of its step', () => {
  const result = { chosenCandidates: [a, b], topCandidates: [{ candidates: [a, b] }] };
  expect(readLogprobs(result)).toEqual([
    {
      token: 'a',
      logprob: -1,
      bytes: [97],
      top_logprobs: [
        { token: 'a', logprob: -1, bytes: [97] },
        { token: 'é', logprob: -2, bytes: [195, 169] },
      ],
    },
    { token: 'é', logprob: -2, bytes: [195, 169], top_logprobs: [] },
  ]);
});

test.each<[string, Record<string, unknown>]>([
  ['no step', {}],
  ['a step that is no object', { chosenCandidates: [a, 7] }],
  ['a step without a probability', { chosenCandidates: [a, { token: 'b' }] }],
  ['a list that is none', { chosenCandidates: 'a' }],
])('a chunk with %s has none', (_, result) => {
  expect(readLogprobs(result)).toEqual([]);
});
