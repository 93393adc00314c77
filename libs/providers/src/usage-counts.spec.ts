import { describe, expect, test } from 'vitest';
import { checkedUsage } from './usage-counts.ts';

const reported = { inputTokens: 10, cachedTokens: 4, outputTokens: 5, reasoningTokens: 2 };

describe('reported token counts', () => {
  test('are taken as they are when they can be true', () => {
    expect(checkedUsage(reported)).toEqual(reported);
    const none = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };
    expect(checkedUsage(none)).toEqual(none);
  });

  test('of details that are absent or null are 0', () => {
    const without = { ...reported, cachedTokens: undefined, reasoningTokens: null };
    expect(checkedUsage(without)).toEqual({ ...reported, cachedTokens: 0, reasoningTokens: 0 });
  });

  test('of what may have a price of its own are kept, unless they are 0', () => {
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
  ])('are not believed when they are %s', (_, change) => {
    expect(checkedUsage({ ...reported, ...change })).toBeUndefined();
  });
});
