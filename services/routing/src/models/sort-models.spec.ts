import { deepEqual, equal, ok } from 'node:assert/strict';
import { catalogSorts } from '@sluice/inference-port';
import fc from 'fast-check';
import { test } from 'vitest';
import { anyModel, sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { scoreOf, sortModels } from './sort-models.ts';
import type { EndpointStatistics } from './statistics.ts';

const percentiles = (p50: number) => ({ p50, p75: p50, p90: p50, p99: p50 });
const measured = (value: number): EndpointStatistics => ({
  latencyMs: percentiles(value),
  tokensPerSecond: percentiles(value),
  uptime5m: 100,
  uptime30m: 100,
  uptime1d: 100,
  requestCount: value,
});
/** Every second endpoint has statistics. */
const statistics = (id: string) => {
  const value = Number.parseInt(id.slice(0, 6), 16);
  return value % 2 === 0 ? undefined : measured(value);
};

test.each(catalogSorts)('%s: the best first, those without a score last, nobody lost', (sort) => {
  fc.assert(
    fc.property(fc.array(anyModel, { maxLength: 12 }), (models) => {
      const sorted = sortModels(models, sort, statistics);
      equal(sorted.length, models.length);
      equal(new Set(sorted).size, new Set(models).size);
      const scores = sorted.map((model) => scoreOf(model, sort, statistics));
      const known = scores.filter((score) => score !== undefined);
      deepEqual(scores.slice(0, known.length), known);
      ok(known.every((score, index) => index === 0 || (known[index - 1] ?? 0) >= score));
      // Equals keep their order.
      for (const [index, model] of sorted.slice(1).entries())
        if (scores[index] === scores[index + 1])
          ok(models.indexOf(sorted[index] ?? model) <= models.lastIndexOf(model));
    }),
    { numRuns: 100 },
  );
});

const cheap = sampleModel('a/cheap', {
  created: 3,
  contextLength: 10,
  details: { benchmarks: { artificial_analysis: { coding_index: 5 } } },
  endpoints: [sampleEndpoint('a/cheap', 'x', { pricing: { prompt: '0.1', completion: '0.1' } })],
});
const dear = sampleModel('a/dear', {
  created: 2,
  contextLength: 20,
  details: {
    benchmarks: {
      artificial_analysis: { coding_index: 9, intelligence_index: 1, agentic_index: 1 },
      design_arena: [{ elo: 1_000 }, { elo: 1_200 }],
    },
  },
  endpoints: [sampleEndpoint('a/dear', 'x', { pricing: { prompt: '0.1', completion: '0.2' } })],
});
const bare = sampleModel('a/bare', {
  created: 0,
  endpoints: [sampleEndpoint('a/bare', 'x', { pricing: { prompt: '0', completion: '0' } })],
});

test.each([
  ['newest', ['a/cheap', 'a/dear', 'a/bare']],
  ['pricing-low-to-high', ['a/bare', 'a/cheap', 'a/dear']],
  ['pricing-high-to-low', ['a/dear', 'a/cheap', 'a/bare']],
  ['context-high-to-low', ['a/dear', 'a/cheap', 'a/bare']],
  ['coding-high-to-low', ['a/dear', 'a/cheap', 'a/bare']],
  ['intelligence-high-to-low', ['a/dear', 'a/bare', 'a/cheap']],
  ['agentic-high-to-low', ['a/dear', 'a/bare', 'a/cheap']],
  ['design-arena-elo-high-to-low', ['a/dear', 'a/bare', 'a/cheap']],
  ['latency-low-to-high', ['a/cheap', 'a/dear', 'a/bare']],
  ['throughput-high-to-low', ['a/dear', 'a/cheap', 'a/bare']],
  ['most-popular', ['a/dear', 'a/cheap', 'a/bare']],
  ['top-weekly', ['a/dear', 'a/cheap', 'a/bare']],
] as const)('%s means what it says', (sort, expected) => {
  const known = new Map([
    [cheap.endpoints[0]?.id, measured(10)],
    [dear.endpoints[0]?.id, measured(20)],
  ]);
  const sorted = sortModels([bare, cheap, dear], sort, (id) => known.get(id));
  deepEqual(
    sorted.map(({ id }) => id),
    expected,
  );
});
