import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { endpointRow, modelRow } from '@sluice/catalog';
import { blendedPrice, type Candidate } from './candidate.ts';
import { drawn } from './draw.ts';
import { type Condition, orderCandidates, type Ordered, type Ordering } from './order.ts';
import type { Preferences } from '../request/preferences.ts';
import { preferring } from './testing/preferring.ts';

const well: Condition = {
  latencyMs: undefined,
  tokensPerSecond: undefined,
  isUnstable: false,
  isOut: false,
  isPoorWithTools: false,
};
const all = (value: number) => ({ p50: value, p75: value, p90: value, p99: value });

/** Endpoints of one model, named by their place, at these prices in millionths of a dollar. */
function priced(prices: readonly number[], id = 'a/b'): readonly Candidate[] {
  const endpoints = prices.map((price, index) => {
    const decimal = (price / 1_000_000).toFixed(12);
    const upstream = {
      provider: `p${String(index)}`,
      dialect: 'openai-chat',
      baseUrl: 'http://127.0.0.1:1',
      apiKey: undefined,
      upstreamModel: 'm',
    } as const;
    return endpointRow(id, upstream, { prompt: decimal, completion: decimal });
  });
  const model = modelRow({ id, endpoints });
  return endpoints.map((endpoint) => ({ model, endpoint }));
}

const provider = ({ endpoint }: Candidate) => endpoint.endpoint.provider;
const idOf = (candidates: readonly Candidate[], index: number) =>
  candidates[index]?.endpoint.id ?? '';

type MoreOrdering = Partial<Ordering> & {
  readonly conditions?: Readonly<Record<string, Partial<Condition>>>;
};

const ordered = (...of: Parameters<typeof placed>) => placed(...of).map((one) => one.candidate);

function placed(
  candidates: readonly Candidate[],
  preferences: Partial<Preferences> = {},
  more: MoreOrdering = {},
): readonly Ordered[] {
  const conditions = new Map(
    Object.entries(more.conditions ?? {}).map(([id, one]) => [id, { ...well, ...one }]),
  );
  return orderCandidates(candidates, {
    preferences: { ...preferring(), ...preferences },
    sort: preferences.sort,
    hasTools: false,
    condition: (id) => conditions.get(id),
    sticky: undefined,
    session: undefined,
    random: () => 0,
    ...more,
  });
}

const prices = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 });
const chance = fc.double({ min: 0, max: 0.999, noNaN: true });

describe('load balancing', () => {
  test('draws the first of a session alike everywhere, whatever the order and the chance', () => {
    const candidates = priced([1, 2, 3, 3]);
    for (let number = 0; number < 100; number += 1) {
      const session = `account session:${number}`;
      const here = ordered(candidates, {}, { session, random: () => 0 })[0];
      equal(ordered(candidates.toReversed(), {}, { session, random: () => 0.99 })[0], here);
    }
  });

  test('draws the first of 20,000 sessions with 1/price², and moves few where an endpoint goes', () => {
    const candidates = priced([1, 2, 3]);
    const [cheapest, ...others] = candidates;
    const sessions = 20_000;
    const counts = [0, 0, 0];
    let moved = 0;
    for (let number = 0; number < sessions; number += 1) {
      const session = `account session:${number}`;
      const [first] = ordered(candidates, {}, { session });
      const index = candidates.indexOf(first ?? candidates[0]!);
      counts[index] = (counts[index] ?? 0) + 1;
      const [without] = ordered(others, {}, { session });
      if (first !== cheapest && without !== first) moved += 1;
    }
    equal(moved, 0);
    const total = 1 + 1 / 4 + 1 / 9;
    for (const [index, weight] of [1, 1 / 4, 1 / 9].entries()) {
      const expected = (sessions * weight) / total;
      ok(Math.abs((counts[index] ?? 0) - expected) / expected < 0.05, `${index}: ${counts[index]}`);
    }
  });

  test('draws a free endpoint for every session where there is one', () => {
    const candidates = priced([0, 2, 3]);
    for (let number = 0; number < 50; number += 1)
      equal(ordered(candidates, {}, { session: `s${number}` })[0], candidates[0]);
  });

  test('draws the first with 1/price², within 2 % over 100,000 draws', () => {
    const candidates = priced([1, 2, 3]);
    const counts = [0, 0, 0];
    const draws = 100_000;
    // Evenly spread over the whole range: what is left is the rule itself.
    for (let draw = 0; draw < draws; draw += 1) {
      const [first] = ordered(candidates, {}, { random: () => (draw + 0.5) / draws });
      const index = candidates.indexOf(first ?? candidates[0]!);
      counts[index] = (counts[index] ?? 0) + 1;
    }
    const total = 1 + 1 / 4 + 1 / 9;
    for (const [index, weight] of [1, 1 / 4, 1 / 9].entries()) {
      const expected = (draws * weight) / total;
      ok(Math.abs((counts[index] ?? 0) - expected) / expected < 0.02, `${index}: ${counts[index]}`);
    }
  });

  test('can be drawn again with its seed', () => {
    fc.assert(
      fc.property(prices, chance, (some, random) => {
        const candidates = priced(some);
        const [first, ...others] = placed(candidates, {}, { random: () => random });
        if (candidates.length > 1) equal(drawn(candidates, first?.seed ?? ''), first?.candidate);
        ok(others.every(({ seed }) => seed === undefined));
      }),
    );
  });

  test('has a seed only if chance decides', () => {
    const candidates = priced([1, 2]);
    const seeds = (preferences: Partial<Preferences>, more: MoreOrdering = {}) =>
      placed(candidates, preferences, more).map(({ seed }) => seed);
    deepEqual(seeds({}, { random: () => 0.5 }), ['2147483648', undefined]);
    deepEqual(seeds({}, { session: 'a session' }), [undefined, undefined]);
    deepEqual(seeds({ sort: 'price' }), [undefined, undefined]);
    deepEqual(
      placed(priced([1])).map(({ seed }) => seed),
      [undefined],
    );
    // A drawn endpoint that is put behind others keeps it.
    const slow = { [idOf(candidates, 0)]: { isPoorWithTools: true } };
    deepEqual(seeds({}, { hasTools: true, conditions: slow }), [undefined, '0']);
  });

  test('has each endpoint once, the others from the cheapest on', () => {
    fc.assert(
      fc.property(prices, chance, (some, random) => {
        const candidates = priced(some);
        const result = ordered(candidates, {}, { random: () => random });
        deepEqual(new Set(result), new Set(candidates));
        equal(result.length, candidates.length);
        const rest = result.slice(1).map(blendedPrice);
        deepEqual(
          rest,
          rest.toSorted((a, b) => a - b),
        );
      }),
    );
  });

  test('tries what is free before what is not', () => {
    const candidates = priced([5, 0, 1]);
    for (const random of [0, 0.5, 0.99])
      equal(provider(ordered(candidates, {}, { random: () => random })[0]!), 'p1');
  });

  test('keeps an unstable endpoint for the last', () => {
    const candidates = priced([1, 2, 3]);
    const conditions = { [idOf(candidates, 1)]: { isUnstable: true } };
    for (const random of [0, 0.3, 0.6, 0.95])
      equal(provider(ordered(candidates, {}, { random: () => random, conditions }).at(-1)!), 'p1');
  });
});

describe('an endpoint that failed lately', () => {
  test('comes behind all others of its model, whatever is asked', () => {
    const asked = fc.constantFrom<Partial<Preferences>>(
      {},
      { sort: 'price' },
      { order: ['p0'] },
      { tier: 'priority' },
    );
    fc.assert(
      fc.property(asked, chance, (preferences, random) => {
        const candidates = priced([1, 2, 3]);
        const conditions = { [idOf(candidates, 0)]: { isOut: true } };
        const result = ordered(candidates, preferences, { random: () => random, conditions });
        equal(provider(result.at(-1)!), 'p0');
      }),
    );
  });

  test('is tried as ever when more than half of them did', () => {
    const candidates = priced([1, 2, 3]);
    const out = { isOut: true };
    const conditions = { [idOf(candidates, 0)]: out, [idOf(candidates, 1)]: out };
    equal(provider(ordered(candidates, { sort: 'price' }, { conditions })[0]!), 'p0');
  });

  test('is not brought back by its conversation, a healthy one is', () => {
    const candidates = priced([1, 2, 3]);
    const sticky = idOf(candidates, 2);
    equal(provider(ordered(candidates, {}, { sticky })[0]!), 'p2');
    const conditions = { [sticky]: { isOut: true } };
    equal(provider(ordered(candidates, {}, { sticky, conditions })[0]!), 'p0');
  });
});

describe('what is asked for', () => {
  test('provider.order comes first and as given, also before a conversation', () => {
    const candidates = priced([1, 2, 3, 4]);
    const sticky = idOf(candidates, 0);
    const result = ordered(candidates, { order: ['p3', 'p2'] }, { sticky });
    deepEqual(result.map(provider).slice(0, 2), ['p3', 'p2']);
    equal(result.length, 4);
  });

  test('without fallbacks only the first is tried, or those that are listed', () => {
    const candidates = priced([1, 2, 3, 4]);
    equal(ordered(candidates, { allowsFallbacks: false }).length, 1);
    const listed = ordered(candidates, { allowsFallbacks: false, order: ['p3', 'p2'] });
    deepEqual(listed.map(provider), ['p3', 'p2']);
  });

  test('sorts by price, by latency, by throughput; what was not measured comes last', () => {
    const candidates = priced([3, 1, 2]);
    deepEqual(ordered(candidates, { sort: 'price' }).map(provider), ['p1', 'p2', 'p0']);
    const conditions = {
      [idOf(candidates, 0)]: { latencyMs: all(300), tokensPerSecond: all(30) },
      [idOf(candidates, 2)]: { latencyMs: all(100), tokensPerSecond: all(90) },
    };
    const by = (sort: 'latency' | 'throughput') =>
      ordered(candidates, { sort }, { conditions }).map(provider);
    deepEqual(by('latency'), ['p2', 'p0', 'p1']);
    deepEqual(by('throughput'), ['p2', 'p0', 'p1']);
  });

  test('an endpoint that is slower than preferred is tried last, but tried', () => {
    const candidates = priced([1, 2]);
    const conditions = { [idOf(candidates, 0)]: { latencyMs: all(5_000) } };
    const result = ordered(candidates, { latencyMax: { p90: 2 } }, { conditions });
    deepEqual(result.map(provider), ['p1', 'p0']);
  });

  test('with tools, an endpoint with bad tool calls is moved back', () => {
    const candidates = priced([1, 2]);
    const conditions = { [idOf(candidates, 0)]: { isPoorWithTools: true } };
    equal(provider(ordered(candidates, {}, { conditions, hasTools: true })[0]!), 'p1');
    equal(provider(ordered(candidates, {}, { conditions })[0]!), 'p0');
  });

  test('models stay in their order, unless they are to be mixed', () => {
    const candidates = [...priced([9, 8], 'a/dear'), ...priced([1, 2], 'a/cheap')];
    const models = (preferences: Partial<Preferences>) =>
      ordered(candidates, preferences).map(({ model }) => model.id);
    deepEqual(models({ sort: 'price' }), ['a/dear', 'a/dear', 'a/cheap', 'a/cheap']);
    const mixed = models({ sort: 'price', mixesModels: true });
    deepEqual(mixed, ['a/cheap', 'a/cheap', 'a/dear', 'a/dear']);
  });
});
