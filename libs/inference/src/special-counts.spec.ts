import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { specialCountsOf, specialCountTexts } from './index.ts';

test('special counts go by name and in digits, without what is 0 and without the plain ones', () => {
  const plain = { inputTokens: 9, cachedTokens: 1, outputTokens: 2, reasoningTokens: 1 };
  const counts = { ...plain, cacheWriteTokens: 3, audioOutputTokens: 0, images: 2 };
  deepEqual(specialCountTexts(counts), { cacheWriteTokens: '3', images: '2' });
});

test('special counts are read again by name, and no other name or text', () => {
  const texts = {
    cacheWriteTokens: '3',
    images: '2',
    searches: '1',
    webSearches: '-1',
    audioInputTokens: 'x',
  };
  deepEqual(specialCountsOf(texts), { cacheWriteTokens: 3, images: 2 });
});
