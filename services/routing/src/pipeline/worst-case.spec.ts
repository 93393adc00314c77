import { equal, ok } from 'node:assert/strict';
import { costNanoUsd, type Prices } from '@sluice/inference';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { Model } from '../catalog/catalog.ts';
import { affordableOutputTokens, outputTokensWanted, worstCaseNanoUsd } from './worst-case.ts';

const price = fc.bigInt({ min: 0n, max: 10n ** 15n });
const allPrices: fc.Arbitrary<Prices> = fc.record({
  inputTokenAttoUsd: price,
  cachedTokenAttoUsd: price,
  outputTokenAttoUsd: price,
  requestAttoUsd: price,
  cacheWriteTokenAttoUsd: price,
  reasoningTokenAttoUsd: price,
});
const tokens = fc.nat({ max: 200_000 });

const model = (prices: readonly Prices[], outputTokensMax?: number): Model => ({
  id: 'a/b',
  name: 'b',
  description: '',
  created: 0,
  contextLength: undefined,
  outputTokensMax,
  isReasoning: false,
  isHidden: false,
  endpoints: prices.map((one) => ({
    endpoint: {
      provider: 'p',
      dialect: 'openai-chat',
      baseUrl: 'http://127.0.0.1:1',
      apiKey: undefined,
      upstreamModel: 'm',
    },
    prices: one,
    pricing: { prompt: '0', completion: '0' },
  })),
});

describe('the worst case', () => {
  test('is never below what any endpoint can charge within the limits', () => {
    const several = fc.array(allPrices, { minLength: 1, maxLength: 3 });
    const shares = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), tokens, tokens);
    fc.assert(
      fc.property(several, shares, (prices, [share, inputMax, outputMax]) => {
        const inputTokens = Math.floor(inputMax * share);
        const usage = {
          inputTokens,
          cachedTokens: Math.floor((inputTokens * share) / 2),
          cacheWriteTokens: Math.floor((inputTokens * share) / 2),
          outputTokens: Math.floor(outputMax * share),
          reasoningTokens: Math.floor(outputMax * share * share),
          images: 3,
        };
        const input = { inputTokensMax: inputMax, imagesMax: 3 };
        const worst = worstCaseNanoUsd(model(prices), input, outputMax);
        for (const one of prices) ok(costNanoUsd(usage, one) <= worst);
      }),
    );
  });

  test('of the affordable output fits, and of one token more does not', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(allPrices, tokens, amounts, (prices, inputTokensMax, amount) => {
        const input = { inputTokensMax, imagesMax: 1 };
        const priced = model([prices]);
        const affordable = affordableOutputTokens(priced, input, amount);
        if (affordable === Infinity) return;
        if (affordable >= 0) ok(worstCaseNanoUsd(priced, input, affordable) <= amount);
        ok(worstCaseNanoUsd(priced, input, affordable + 1) > amount);
      }),
    );
  });
});

test('a client that names no limit gets 4096 tokens, or what the model can', () => {
  equal(outputTokensWanted(undefined, model([])), 4_096);
  equal(outputTokensWanted(undefined, model([], 1_000)), 1_000);
  equal(outputTokensWanted(9_000, model([])), 9_000);
  equal(outputTokensWanted(9_000, model([], 1_000)), 1_000);
});
