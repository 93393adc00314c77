import { equal, ok } from 'node:assert/strict';
import { costNanoUsd, type Prices } from '@sluice/inference';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { Endpoint } from '@sluice/providers';
import { endpointRow, modelRow } from '@sluice/catalog';
import type { PlannedAttempt } from '../selection/plan.ts';
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

const attempts = (
  prices: readonly Prices[],
  outputTokensMax?: number,
): readonly PlannedAttempt[] => {
  const upstream: Endpoint = {
    provider: 'p',
    dialect: 'openai-chat',
    baseUrl: 'http://127.0.0.1:1',
    apiKey: undefined,
    upstreamModel: 'm',
  };
  const free = { prompt: '0', completion: '0' };
  const row = (one: Prices) => ({ ...endpointRow('a/b', upstream, free), prices: one });
  const model = modelRow({ id: 'a/b', outputTokensMax, endpoints: prices.map(row) });
  return model.endpoints.map((endpoint) => ({ model, endpoint }));
};
const noPrices: Prices = {
  inputTokenAttoUsd: 0n,
  cachedTokenAttoUsd: 0n,
  outputTokenAttoUsd: 0n,
  requestAttoUsd: 0n,
};

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
        const input = { tokensMax: inputMax, imagesMax: 3, isUnbounded: false };
        const worst = worstCaseNanoUsd(attempts(prices), input, outputMax);
        for (const one of prices) ok(costNanoUsd(usage, one) <= worst);
      }),
    );
  });

  test('of the affordable output fits, and of one token more does not', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(allPrices, tokens, amounts, (prices, tokensMax, amount) => {
        const input = { tokensMax, imagesMax: 1, isUnbounded: false };
        const priced = attempts([prices]);
        const affordable = affordableOutputTokens(priced, input, amount);
        if (affordable === Infinity) return;
        if (affordable >= 0) ok(worstCaseNanoUsd(priced, input, affordable) <= amount);
        ok(worstCaseNanoUsd(priced, input, affordable + 1) > amount);
      }),
    );
  });
});

test('a client that names no limit gets what the models can', () => {
  equal(outputTokensWanted(undefined, attempts([noPrices])), Infinity);
  equal(outputTokensWanted(undefined, attempts([noPrices], 1_000)), 1_000);
  equal(outputTokensWanted(9_000, attempts([noPrices])), 9_000);
  equal(outputTokensWanted(9_000, attempts([noPrices], 1_000)), 1_000);
  const both = [...attempts([noPrices], 1_000), ...attempts([noPrices], 5_000)];
  equal(outputTokensWanted(9_000, both), 5_000);
});

test('a limit below what a provider takes is raised to it, and so is what is held for it', () => {
  const [attempt] = attempts([{ ...noPrices, outputTokenAttoUsd: 10n ** 9n }]);
  ok(attempt);
  const { endpoint } = attempt;
  const openai = {
    ...attempt,
    endpoint: { ...endpoint, endpoint: { ...endpoint.endpoint, provider: 'openai' } },
  };
  equal(outputTokensWanted(5, [attempt]), 5);
  equal(outputTokensWanted(5, [attempt, openai]), 16);
  equal(outputTokensWanted(17, [openai]), 17);
  const input = { tokensMax: 0, imagesMax: 0, isUnbounded: false };
  equal(worstCaseNanoUsd([openai], input, outputTokensWanted(5, [openai])), 16n);
});
