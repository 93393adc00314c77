import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  type CatalogEndpoint,
  loadCatalog,
  type Model,
  parseCatalogFile,
  priceBookOf,
  type ServiceTier,
  toolCostNanoUsd,
} from '@sluice/catalog';
import type { TokenUsage } from '@sluice/inference';
import { Allowances, costAtPrices, pricesOfTool, tierPrices } from '@sluice/rating';
import type { UsageFact } from '@sluice/usage-facts';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { pricedAt } from '../../selection/candidate.ts';
import { chargeOf } from './charge.ts';
import type { Outcome } from './outcome.ts';
import type { Intent } from './record.ts';
import { usageFact } from './usage-fact.ts';

/** A catalog with tiers, long prompts, hours, discounts and tools, at prices in proportion to the factor. */
const catalogText = (factor: number) => `
providers:
  - { slug: p, name: P, dialect: openai-chat, base_url: "http://127.0.0.1:1/v1/" }
  - { slug: q, name: Q, dialect: openai-chat, base_url: "http://127.0.0.1:1/v1/" }
models:
  - id: p/plain
    endpoints:
      - provider: p
        upstream_model: plain
        pricing: { prompt: "0.0000${factor}1", completion: "0.0000${factor}37", request: "0.00${factor}",
          input_cache_read: "0.00000${factor}", internal_reasoning: "0.0001${factor}", discount: 0.25 }
      - { provider: p, upstream_model: plain, tier: flex, pricing: { prompt: "0.00000${factor}", completion: "0.00001" } }
      - { provider: q, upstream_model: other, pricing: { prompt: "0.0${factor}", completion: "0.0${factor}" } }
  - id: p/long
    provider: p
    upstream_model: long
    pricing: { prompt: "0.00000${factor}", completion: "0.0000${factor}", web_search: "0.0${factor}", image: "0.001",
      audio: "0.00${factor}", input_cache_write: "0.0000${factor}3",
      overrides: [{ min_prompt_tokens: 500, prompt: "0.0000${factor}7" },
        { utc_start: "0600", utc_end: "1800", completion: "0.000${factor}" }] }
  - { id: q/free, provider: q, upstream_model: free, pricing: { prompt: "0", completion: "0" } }
tool_prices:
  - { tool: "service:web_search", engine: tavily, call: "0.00${factor}", included_results: 3, result: "0.0001" }
  - { tool: "service:bash", second: "0.00000${factor}" }
`;

const worldAt = (factor: number) => {
  const file = parseCatalogFile(catalogText(factor));
  const catalog = loadCatalog({ simulatorUrl: undefined, file, settings: () => undefined });
  return { catalog, book: priceBookOf(file) };
};
const inForce = worldAt(3);
const other = worldAt(7);

const count = fc.nat({ max: 1_000 });
const usages = fc
  .record({
    plain: count,
    cachedTokens: count,
    cacheWriteTokens: count,
    audioInputTokens: count,
    written: count,
    reasoningTokens: count,
    images: fc.nat({ max: 3 }),
    webSearches: fc.nat({ max: 3 }),
  })
  .map(({ plain, written, ...rest }): TokenUsage => {
    const { cachedTokens, cacheWriteTokens, audioInputTokens, reasoningTokens } = rest;
    const inputTokens = plain + cachedTokens + cacheWriteTokens + audioInputTokens;
    return { ...rest, inputTokens, outputTokens: written + reasoningTokens };
  });

const ends = fc.constantFrom<Partial<Outcome>>(
  { outcome: 'completed', finishReason: 'stop' },
  { outcome: 'incomplete', finishReason: 'length' },
  { outcome: 'cancelled', finishReason: '' },
  { outcome: 'cancelled', finishReason: 'stop' },
  { outcome: 'failed', finishReason: '' },
  { outcome: 'failed', finishReason: '', isDeclaredFailure: true },
  { outcome: 'interrupted', finishReason: '', isEstimated: true, estimateReason: 'interrupted' },
  { outcome: 'completed', finishReason: 'stop', isEstimated: true },
  { outcome: 'completed', finishReason: 'stop', isEstimated: true, estimateReason: 'absurd_usage' },
);

const attempts = fc.record({
  usage: fc.oneof(
    usages,
    usages.map((one) => ({ ...one, outputTokens: 0, reasoningTokens: 0 })),
  ),
  end: ends,
  place: fc.nat({ max: 4 }),
  servedTier: fc.constantFrom<ServiceTier | undefined>(undefined, 'default', 'flex', 'priority'),
  hour: fc.nat({ max: 23 }),
  holdNanoUsd: fc.oneof(fc.constant(10n ** 15n), fc.bigInt({ min: 0n, max: 10n ** 10n })),
  byok: fc.option(
    fc.record({
      freeHeldNanoUsd: fc.oneof(fc.constant(10n ** 15n), fc.bigInt({ min: 0n, max: 10n ** 9n })),
      feeBasisPoints: fc.constantFrom<number>(0, 500, 333),
    }),
    { nil: undefined },
  ),
  tool: fc.option(fc.constantFrom('service:web_search', 'service:bash'), {
    nil: undefined,
    freq: 3,
  }),
  dataDiscountBasisPoints: fc.constantFrom(undefined, 0, 100, 333),
  searchResults: fc.nat({ max: 9 }),
  seconds: fc.nat({ max: 90 }),
});
type Attempt = typeof attempts extends fc.Arbitrary<infer One> ? One : never;

interface Called {
  readonly model: Model;
  readonly endpoint: CatalogEndpoint;
}

function calledAt({ catalog }: typeof inForce, { place }: Attempt): Called {
  const all = ['p/plain', 'p/long', 'q/free'].flatMap((id) => {
    const model = catalog.find(id);
    return model ? model.endpoints.map((endpoint) => ({ model, endpoint })) : [];
  });
  const called = all[place];
  if (!called) throw new Error('no such endpoint');
  return called;
}

/** Writes the fact of an attempt as the live path does. */
function factOf(world: typeof inForce, attempt: Attempt, sequence: number): UsageFact {
  const { usage, end, servedTier, tool, hour, byok, holdNanoUsd } = attempt;
  const admittedAt = new Date(Date.UTC(2026, 10, 20, hour));
  const called = calledAt(world, attempt);
  const { model } = called;
  const endpoint = pricedAt(called.endpoint, () => admittedAt);
  const toolCounts = { searchResults: attempt.searchResults, seconds: attempt.seconds };
  const engine = tool === 'service:web_search' ? 'tavily' : '';
  const price = tool === undefined ? undefined : world.catalog.toolPrices.find({ tool, engine });
  const terms = { credentialId: 'c-1', feeLeaseNumbers: [], allowanceLeaseNumber: 0n };
  // Calls of tools with an own key cost no fee, and take nothing of the allowance.
  const none = { freeHeldNanoUsd: 0n, feeBasisPoints: 0 };
  const intent: Intent = {
    usageId: `gen-${sequence}/1/1`,
    generationId: `gen-${sequence}`,
    requestId: `req-${sequence}`,
    accountId: 'a',
    workspaceId: 'w',
    keyHash: 'k',
    model: model.id,
    provider: tool === undefined ? endpoint.endpoint.provider : engine,
    admittedAt,
    streamed: true,
    inputTokens: usage.inputTokens,
    prices: price
      ? pricesOfTool(toolCostNanoUsd(price, toolCounts))
      : tierPrices({ model, endpoint }, servedTier, usage),
    holdNanoUsd,
    leaseEpoch: 1n,
    leaseNumbers: [],
    labels: tool === undefined ? { endpointId: endpoint.id } : { apiType: 'tool', toolType: tool },
    ...(tool === undefined && {
      dataDiscountBasisPoints: attempt.dataDiscountBasisPoints,
    }),
    byok: byok && { ...terms, ...(tool === undefined ? byok : none) },
  };
  const nothing = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  const ended: Outcome = {
    outcome: 'completed',
    finishReason: 'stop',
    isEstimated: false,
    isDeclaredFailure: false,
    upstreamId: 'up-1',
    completedAt: admittedAt,
    serviceTier: servedTier,
    ...end,
    usage: tool === undefined ? usage : nothing,
    ...(tool !== undefined && { toolCounts, isEstimated: false, estimateReason: undefined }),
  };
  const place = { replica: 'r', epoch: 1n, sequence: BigInt(sequence) };
  return usageFact(intent, ended, { charge: chargeOf(intent, ended), place });
}

const ratedOf = (fact: UsageFact) => ({
  fact,
  estimate: fact.estimateReason === '' ? undefined : fact,
});
const terms = { allowanceNanoUsd: 25_000n * 10n ** 9n, feeBasisPoints: 500 };

describe('the fact of any attempt', () => {
  test('costs at the prices in force what it was charged', () => {
    let rated = 0;
    fc.assert(
      fc.property(fc.array(attempts, { minLength: 1, maxLength: 20 }), (all) => {
        const allowances = new Allowances(terms);
        for (const [index, attempt] of all.entries()) {
          const fact = factOf(inForce, attempt, index + 1);
          const cost = costAtPrices(inForce.book, ratedOf(fact));
          if (typeof cost === 'string') {
            equal(cost, 'byok_estimate');
            ok(fact.isByok && fact.estimated);
            allowances.keep(fact);
            continue;
          }
          rated += 1;
          equal(cost, fact.costNanoUsd);
          if (!fact.isByok) continue;
          const { costNanoUsd, feeNanoUsd, freeNanoUsd } = fact;
          deepEqual(allowances.rate(fact, cost), { costNanoUsd, feeNanoUsd, freeNanoUsd });
        }
      }),
    );
    // An array has 1 to 10 attempts as a rule, and there are 100 arrays.
    ok(rated > 100, String(rated));
  });

  test('costs at other prices what it would have been charged where its hold is large enough', () => {
    fc.assert(
      fc.property(attempts, (attempt) => {
        const ample = { ...attempt, holdNanoUsd: 10n ** 17n };
        const byok = attempt.byok && { freeHeldNanoUsd: 0n, feeBasisPoints: 500 };
        const fact = factOf(inForce, { ...ample, byok }, 1);
        const live = factOf(other, { ...ample, byok }, 1);
        const cost = costAtPrices(other.book, ratedOf(fact));
        if (cost === 'byok_estimate') return;
        equal(cost, live.costNanoUsd);
        if (!fact.isByok) return;
        const noAllowance = new Allowances({ allowanceNanoUsd: 0n, feeBasisPoints: 500 });
        equal(noAllowance.rate(fact, live.costNanoUsd).feeNanoUsd, live.feeNanoUsd);
      }),
    );
  });
});
