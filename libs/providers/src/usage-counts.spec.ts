import { describe, expect, test } from 'vitest';
import { checkedUsage } from './usage-counts.ts';

const reported = { inputTokens: 10, cachedTokens: 4, outputTokens: 5, reasoningTokens: 2 };

describe('reported token counts', () => {
  test('are used unchanged if they are plausible', () => {
    expect(checkedUsage(reported)).toEqual(reported);
    const none = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };
    expect(checkedUsage(none)).toEqual(none);
  });

  test('are 0 for details that are absent or null', () => {
    const without = { ...reported, cachedTokens: undefined, reasoningTokens: null };
    expect(checkedUsage(without)).toEqual({ ...reported, cachedTokens: 0, reasoningTokens: 0 });
  });

  test('of separately priced tokens are kept, unless they are 0', () => {
    const special = { cacheWriteTokens: 3, audioInputTokens: 2, audioOutputTokens: 1 };
    expect(checkedUsage({ ...reported, ...special })).toEqual({ ...reported, ...special });
    expect(checkedUsage({ ...reported, cacheWriteTokens: 0 })).toEqual(reported);
  });

  test.each([
    ['more special than plain input', { cacheWriteTokens: 7 }],
    ['more special than plain output', { audioOutputTokens: 4 }],
    ['special and fractional', { audioInputTokens: 0.5 }],
    ['negative', { inputTokens: -1 }],
    ['fractional', { outputTokens: 1.5 }],
    ['a string', { inputTokens: '10' }],
    ['absent', { outputTokens: undefined }],
    ['not a number', { inputTokens: NaN }],
    ['beyond exact integers', { inputTokens: 2 ** 53 }],
    ['more cached than input', { cachedTokens: 11 }],
    ['more reasoning than output', { reasoningTokens: 6 }],
    ['negative details', { cachedTokens: -1 }],
    ['details of another type', { reasoningTokens: '2' }],
  ])('are discarded if they are %s', (_, change) => {
    expect(checkedUsage({ ...reported, ...change })).toBeUndefined();
  });
});
