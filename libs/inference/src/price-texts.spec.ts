import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { pricesOfTexts, priceTexts } from './price-texts.ts';

const prices = {
  inputTokenAttoUsd: 1_000_000_000_000n,
  cachedTokenAttoUsd: 0n,
  outputTokenAttoUsd: 2_000_000_000_001n,
  requestAttoUsd: 3n,
  cacheWriteTokenAttoUsd: 4n,
};

test('prices are the same again after their way through text', () => {
  deepEqual(pricesOfTexts(JSON.parse(JSON.stringify(priceTexts(prices)))), prices);
});

test('the prices of long prompts are, too, in the order of their bounds', () => {
  const tiers = [
    { aboveTokens: 1_000, prices: { ...prices, inputTokenAttoUsd: 2_000_000_000_000n } },
    { aboveTokens: 200_000, prices },
  ];
  const texts = Object.entries(priceTexts({ ...prices, tiers })).toReversed();
  deepEqual(pricesOfTexts(Object.fromEntries(texts)), { ...prices, tiers });
});

test('a price without a text costs nothing, and a text that is no price is none', () => {
  deepEqual(pricesOfTexts({ requestAttoUsd: '7' }), {
    inputTokenAttoUsd: 0n,
    cachedTokenAttoUsd: 0n,
    outputTokenAttoUsd: 0n,
    requestAttoUsd: 7n,
  });
  for (const text of ['', '-1', '1.5', '1e3', '9'.repeat(37)])
    equal(pricesOfTexts({ requestAttoUsd: text }), undefined, text);
});
