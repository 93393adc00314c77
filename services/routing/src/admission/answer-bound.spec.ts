import { equal } from 'node:assert/strict';
import type { InferenceRequest } from '@sluice/inference';
import { describe, test } from 'vitest';
import type { OutputModality } from '@sluice/catalog';
import { answerBytesMax } from './answer-bound.ts';

const mebibyte = 1024 * 1024;
type Asked = Parameters<typeof answerBytesMax>[0];
const plain: Asked = { items: [], maxOutputTokens: 1_000, stream: true, tools: [] };
const native: InferenceRequest['tools'][number] = { type: 'native', tool: { type: 'web_search' } };

describe('the longest answer', () => {
  test.each<[string, Partial<Asked>, readonly OutputModality[], number | undefined]>([
    ['a stream: 4 KiB a token', {}, ['text'], 4_096_000],
    ['whole: 1 KiB a token, with a floor', { stream: false }, ['text'], mebibyte],
    ['whole, beyond the floor', { stream: false, maxOutputTokens: 5_000 }, ['text'], 5_120_000],
    ['a few tokens: the floor', { maxOutputTokens: 16 }, ['text'], mebibyte],
    ['alternatives of each token', { options: { topLogprobs: 1 } }, ['text'], 8_192_000],
    ['no alternatives, but probabilities', { options: { topLogprobs: 0 } }, ['text'], 6_144_000],
    [
      'pictures that were asked for',
      { maxOutputTokens: 16, options: { modalities: ['text', 'image'] } },
      ['text', 'image'],
      32 * mebibyte,
    ],
    ['no pictures, though there could be', { maxOutputTokens: 16 }, ['text', 'image'], mebibyte],
    ['sound alone', { maxOutputTokens: 16 }, ['audio'], 32 * mebibyte],
    [
      "tools of the provider's own",
      { maxOutputTokens: 16, tools: [native] },
      ['text'],
      32 * mebibyte,
    ],
    ['no limit', { maxOutputTokens: undefined }, ['text'], undefined],
  ])('of %s', (_case, changes, outputModalities, bytes) => {
    equal(answerBytesMax({ ...plain, ...changes }, { outputModalities }), bytes);
  });
});
