import { equal } from 'node:assert/strict';
import { type Prices, pricesOfTexts } from '@sluice/inference';
import { test } from 'vitest';
import type { CatalogEndpoint, ServiceTier } from '@sluice/catalog';
import { tierPrices } from './tier-prices.ts';

const costing = (attoUsd: string): Prices => {
  const prices = pricesOfTexts({
    inputTokenAttoUsd: attoUsd,
    cachedTokenAttoUsd: attoUsd,
    outputTokenAttoUsd: attoUsd,
    requestAttoUsd: '0',
  });
  if (!prices) throw new Error('no prices');
  return prices;
};
type Endpoint = Pick<CatalogEndpoint, 'tier' | 'endpoint' | 'prices'>;
const endpoint = (tier: ServiceTier, attoUsd: string, provider = 'p') =>
  ({ tier, endpoint: { provider }, prices: costing(attoUsd) }) as Endpoint;

const usual = endpoint('default', '2000000000');
const priority = endpoint('priority', '4000000000');
const flexElsewhere = endpoint('flex', '1000000000', 'q');
const model = { endpoints: [usual, priority, flexElsewhere] as CatalogEndpoint[] };
const usage = { inputTokens: 10, cachedTokens: 0, outputTokens: 10, reasoningTokens: 0 };
const charged = (called: Endpoint, served: ServiceTier | undefined) =>
  tierPrices({ model, endpoint: called }, served, usage).inputTokenAttoUsd;

test('what a cheaper tier served is charged at its prices', () =>
  equal(charged(priority, 'default'), 2_000_000_000n));

test('what a dearer tier served is charged as it was asked for', () =>
  equal(charged(usual, 'priority'), 2_000_000_000n));

test('the requested tier, or an unreported one, is charged at the prices of the endpoint', () => {
  equal(charged(priority, 'priority'), 4_000_000_000n);
  equal(charged(priority, undefined), 4_000_000_000n);
});

test('a tier without a known price at this provider is charged at the prices of the endpoint', () => {
  equal(charged(priority, 'ultrafast'), 4_000_000_000n);
  equal(charged(usual, 'flex'), 2_000_000_000n);
});

test('a private endpoint has its own rates in any tier, and gives them to no other endpoint', () => {
  const cheap = endpoint('default', '1');
  const own = { ...cheap, endpoint: { ...cheap.endpoint, isPrivate: true } } as Endpoint;
  const all = { endpoints: [own, ...model.endpoints] };
  equal(tierPrices({ model: all, endpoint: own }, 'priority', usage).inputTokenAttoUsd, 1n);
  const shared = tierPrices({ model: all, endpoint: priority }, 'default', usage);
  equal(shared.inputTokenAttoUsd, 2_000_000_000n);
  const dear = { ...priority, endpoint: own.endpoint };
  const kept = tierPrices({ model, endpoint: dear }, 'default', usage);
  equal(kept.inputTokenAttoUsd, 4_000_000_000n);
});
