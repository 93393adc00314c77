import type { ReasoningEffort, ReasoningOptions } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { effortOf } from './reasoning-effort.ts';

describe('the effort that a model gets', () => {
  test.each<[ReasoningOptions | undefined, ReasoningEffort | undefined]>([
    [undefined, undefined],
    [{ summary: 'auto' }, undefined],
    [{ isEnabled: true }, 'medium'],
    [{ isEnabled: false }, 'none'],
    [{ isEnabled: false, effort: 'high' }, 'none'],
    [{ effort: 'low' }, 'low'],
    [{ effort: 'low', tokensMax: 9_000 }, 'low'],
    [{ tokensMax: 0 }, 'none'],
    [{ tokensMax: 1_100 }, 'minimal'],
    [{ tokensMax: 2_000 }, 'low'],
    [{ tokensMax: 5_000 }, 'medium'],
    [{ tokensMax: 7_500 }, 'high'],
    [{ tokensMax: 20_000 }, 'xhigh'],
  ])('for %o of 10,000 tokens is %s', (reasoning, effort) => {
    expect(effortOf(reasoning, { outputTokensMax: 10_000 })).toBe(effort);
  });

  test.each<[number, ReasoningEffort]>([
    [1_024, 'minimal'],
    [4_096, 'low'],
    [16_384, 'medium'],
    [32_768, 'high'],
    [32_769, 'xhigh'],
  ])('for a budget of %i tokens of an output without limit is %s', (tokensMax, effort) => {
    expect(effortOf({ tokensMax }, { outputTokensMax: undefined })).toBe(effort);
  });

  test.each<[ReasoningEffort, ReasoningEffort]>([
    ['none', 'low'],
    ['minimal', 'low'],
    ['low', 'low'],
    ['medium', 'low'],
    ['high', 'high'],
    ['max', 'high'],
  ])('of %s, where low and high are known, is %s', (effort, sent) => {
    expect(effortOf({ effort }, { outputTokensMax: undefined, known: ['low', 'high'] })).toBe(sent);
  });
});
