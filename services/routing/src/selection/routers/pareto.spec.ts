import { deepEqual, equal, ok } from 'node:assert/strict';
import { createCatalog, type Model } from '@sluice/catalog';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { isRejection } from '@sluice/errors';
import { composeDemands } from '@sluice/policy';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { PluginSettings } from '../../request/plugins.ts';
import type { Preferences } from '../../request/preferences.ts';
import { textCall } from '../../testing/text-call.ts';
import { choose, type Choosing } from '../choose.ts';
import { preferring } from '../testing/preferring.ts';

/** A model with a coding index (none: unknown) and prices of a million tokens of input and output. */
function model(id: string, index: number | undefined, input: number, output = input): Model {
  const million = (usd: number) => (usd / 1e6).toFixed(12);
  const pricing = { prompt: million(input), completion: million(output) };
  return sampleModel(id, {
    endpoints: [sampleEndpoint(id, 'openai', { pricing })],
    details:
      index === undefined ? {} : { benchmarks: { artificial_analysis: { coding_index: index } } },
  });
}

/** The best index is 60, so the high tier starts at 39.6, and the medium one at 19.8. */
const models = [
  model('a/best', 60, 10),
  model('a/good', 45, 3),
  model('a/fair', 40, 5),
  model('a/fine', 41, 4),
  model('a/middle', 30, 1),
  model('a/other', 20, 0.5, 9),
  model('a/small', 6, 0.1),
  model('a/unscored', undefined, 0.01),
];

type Settings = Omit<PluginSettings<'pareto-router'>, 'id'>;

interface Asked {
  readonly of?: readonly Model[];
  readonly names?: readonly string[];
  readonly preferences?: Partial<Preferences>;
  readonly choosing?: Partial<Choosing>;
}

function chosen(settings?: Settings, { of = models, names, preferences, choosing }: Asked = {}) {
  const asked = { models: names ?? ['service/pareto-code'], ...preferences };
  const plugins = settings && { 'pareto-router': { id: 'pareto-router' as const, ...settings } };
  return choose(textCall('x', { preferences: preferring(asked), ...(plugins && { plugins }) }), {
    catalog: createCatalog(of, []),
    guardrails: composeDemands([]),
    inputTokens: 1,
    now: () => new Date(0),
    condition: () => undefined,
    sticky: undefined,
    random: () => 0,
    ...choosing,
  });
}

function planOf(...asked: Parameters<typeof chosen>) {
  const plan = chosen(...asked);
  ok(!isRejection(plan), isRejection(plan) ? plan.message : '');
  return plan;
}

const triedOf = (...asked: Parameters<typeof chosen>) =>
  planOf(...asked).attempts.map(({ model: { id } }) => id);
const withoutHigh = models.filter(({ id }) => !['a/good', 'a/fair', 'a/fine'].includes(id));

describe('the pareto router', () => {
  test.each<[Settings | undefined, readonly string[]]>([
    [undefined, ['a/good', 'a/fine', 'a/fair']],
    [{}, ['a/good', 'a/fine', 'a/fair']],
    [{ min_coding_score: 1 }, ['a/good', 'a/fine', 'a/fair']],
    [{ min_coding_score: 0.66 }, ['a/good', 'a/fine', 'a/fair']],
    [{ min_coding_score: 0.65 }, ['a/other', 'a/middle']],
    [{ min_coding_score: 0.33 }, ['a/other', 'a/middle']],
    [{ min_coding_score: 0.32 }, ['a/small']],
    [{ min_coding_score: 0 }, ['a/small']],
    [{ min_coding_score: 0.5, price_source: 'weighted_avg' }, ['a/middle', 'a/other']],
    [{ min_coding_score: 0, enabled: false }, ['a/good', 'a/fine', 'a/fair']],
  ])('takes the cheapest three of a tier: %o', (settings, expected) => {
    deepEqual(triedOf(settings), expected);
  });

  test.each<[number, string, readonly string[]]>([
    [0.5, 'medium', ['a/good', 'a/fine', 'a/fair']],
    [0.1, 'low', ['a/other', 'a/middle']],
    [0.9, 'high', ['a/other', 'a/middle']],
  ])('steps from an empty tier (%d, %s) to a neighbor', (min_coding_score, tier, expected) => {
    const provider = {
      high: 'a/best a/good a/fair a/fine',
      medium: 'a/middle a/other',
      low: 'a/small',
    };
    const ignored = provider[tier as keyof typeof provider].split(' ');
    const guardrails = composeDemands([{ ...nothing, ignoredModels: ignored }]);
    const plan = planOf({ min_coding_score }, { choosing: { guardrails } });
    deepEqual(
      plan.attempts.map(({ model: { id } }) => id),
      expected,
    );
    const [report] = plan.stages as readonly { readonly data: Record<string, unknown> }[];
    equal(report?.data['asked_tier'], tier);
  });

  test('puts the fastest first with :nitro, those without a measurement last', () => {
    const speeds: Readonly<Record<string, number>> = { 'a/fair': 90, 'a/best': 200 };
    const ids = new Map(
      models.flatMap(({ id, endpoints }) => endpoints.map((one) => [one.id, id])),
    );
    const condition = (endpointId: string) => {
      const p50 = speeds[ids.get(endpointId) ?? ''];
      if (p50 === undefined) return undefined;
      const tokensPerSecond = { p50, p75: p50, p90: p50, p99: p50 };
      return {
        tokensPerSecond,
        latencyMs: undefined,
        isUnstable: false,
        isOut: false,
        isPoorWithTools: false,
      };
    };
    const nitro = { names: ['service/pareto-code:nitro'], choosing: { condition } };
    deepEqual(triedOf({}, nitro), ['a/best', 'a/fair', 'a/good']);
    const cheapest = { ...nitro, preferences: { sort: 'price' as const } };
    deepEqual(triedOf({}, cheapest), ['a/good', 'a/fine', 'a/fair']);
  });

  test.each<[Settings, readonly string[]]>([
    [{ max_price: 100 }, ['a/best', 'a/good', 'a/middle']],
    [{ max_price: 4.5 }, ['a/good', 'a/middle', 'a/other']],
    [{ max_price: 0.5 }, ['a/other', 'a/small']],
    [{ max_price: 0.5, price_source: 'weighted_avg' }, ['a/small']],
    [{ max_price: 4.5, min_coding_score: 0 }, ['a/good', 'a/middle', 'a/other']],
  ])('with a highest price takes the best score of the frontier: %o', (settings, expected) => {
    deepEqual(triedOf(settings), expected);
  });

  test('takes models behind the frontier after it', () => {
    const of = [model('a/x', 60, 1), model('a/y', 50, 2), model('a/z', 55, 3)];
    deepEqual(triedOf({ max_price: 9 }, { of }), ['a/x', 'a/z', 'a/y']);
  });

  test('has no dearer model on the frontier, and no better one for the price', () => {
    const some = fc.record({
      index: fc.integer({ min: 0, max: 9 }),
      price: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(
        fc.array(some, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: 9 }),
        (rows, max_price) => {
          const of = rows.map(({ index, price }, at) => model(`a/m${at}`, index, price));
          const plan = chosen({ max_price }, { of });
          const fitting = rows.filter(({ price }) => price <= max_price);
          if (isRejection(plan)) {
            equal(fitting.length, 0);
            equal(plan.rejected, 'not_found');
            return;
          }
          const [first] = plan.attempts;
          const row = rows[Number(first.model.id.slice('a/m'.length))];
          equal(row?.index, Math.max(...fitting.map(({ index }) => index)));
          const equals = fitting.filter(({ index }) => index === row?.index);
          equal(row?.price, Math.min(...equals.map(({ price }) => price)));
        },
      ),
    );
  });

  test('is refused if nothing fits, unless another name serves', () => {
    for (const [settings, of, words] of [
      [{ max_price: 0.05 }, models, 'max_price (0.05 USD'],
      [{}, models.slice(-1), 'coding_index'],
    ] as const) {
      const refused = chosen(settings, { of });
      ok(isRejection(refused) && refused.rejected === 'not_found');
      ok(refused.message.includes(words), refused.message);
      const names = ['service/pareto-code', 'a/unscored'];
      deepEqual(triedOf(settings, { of, names }), ['a/unscored']);
    }
  });

  test('leaves room for other names, before and after it', () => {
    const router = 'service/pareto-code';
    deepEqual(triedOf({}, { names: [router, 'a/small'] }), [
      'a/good',
      'a/fine',
      'a/fair',
      'a/small',
    ]);
    const after = planOf({}, { names: ['a/small', router] });
    deepEqual(
      after.attempts.map(({ model: { id } }) => id),
      ['a/small', 'a/good', 'a/fine', 'a/fair'],
    );
    equal(after.stages, undefined);
    equal(after.explanation.router, undefined);
  });

  test('chooses among the models that can serve what is asked', () => {
    const toolless = new Set(['temperature']);
    const of = models.map((one) =>
      one.id === 'a/good'
        ? {
            ...one,
            endpoints: one.endpoints.map((each) => ({ ...each, supportedParameters: toolless })),
          }
        : one,
    );
    const plan = choose(
      textCall('x', {
        preferences: preferring({
          models: ['service/pareto-code'],
          only: ['openai'],
          requiresParameters: true,
        }),
        inference: { ...textCall('x').inference, options: { seed: 1 } },
      }),
      {
        catalog: createCatalog(of, []),
        guardrails: composeDemands([]),
        inputTokens: 1,
        now: () => new Date(0),
        condition: () => undefined,
        sticky: undefined,
        random: () => 0,
      },
    );
    ok(!isRejection(plan));
    deepEqual(
      plan.attempts.map(({ model: { id } }) => id),
      ['a/fine', 'a/fair', 'a/best'],
    );
  });

  test('explains its choice: figures, and why the other models were left out', () => {
    const plan = planOf({ min_coding_score: 0.5 }, { of: withoutHigh });
    const [report] = plan.stages as readonly object[];
    deepEqual(report, {
      type: 'plugin',
      name: 'pareto-router',
      summary: 'chose a/other, a/middle: the cheapest of 2 in the tier medium',
      data: {
        tier: 'medium',
        asked_tier: 'medium',
        ranked_by: 'price',
        price_source: 'prompt',
        chosen: ['a/other', 'a/middle'],
        candidates: [
          { model: 'a/best', score: 1, price: 10 },
          { model: 'a/middle', score: 0.5, price: 1 },
          { model: 'a/other', score: 0.333333, price: 0.5 },
          { model: 'a/small', score: 0.1, price: 0.1 },
        ],
        excluded: [
          { model: 'a/best', reason: 'other tier' },
          { model: 'a/small', reason: 'other tier' },
        ],
        excluded_count: 2,
      },
    });
    deepEqual(plan.explanation.router, { slug: 'service/pareto-code', report });
    const out = plan.explanation.excluded.map(({ filter, detail }) => [filter, detail]);
    deepEqual(out, [
      ['router', 'a/best'],
      ['router', 'a/small'],
    ]);
  });

  test('explains with at most twenty models, the chosen ones first in the record', () => {
    const of = Array.from({ length: 90 }, (_, at) => model(`a/m${at}`, 90, 100 - at));
    const plan = planOf({}, { of });
    deepEqual(
      plan.explanation.candidates.slice(0, 3).map(({ model: { id } }) => id),
      ['a/m89', 'a/m88', 'a/m87'],
    );
    const [report] = plan.stages as readonly { readonly data: Readonly<Record<string, unknown>> }[];
    const { candidates, excluded, excluded_count: count } = report?.data ?? {};
    ok(Array.isArray(candidates) && Array.isArray(excluded));
    deepEqual([candidates.length, excluded.length, count], [20, 20, 87]);
  });
});

const nothing = {
  allowedProviders: null,
  ignoredProviders: null,
  allowedModels: null,
  ignoredModels: null,
  zeroRetention: { anthropic: null, openai: null, google: null, xai: null, other: null },
  paidTraining: null,
  freeTraining: null,
  freePublication: null,
  dataRegions: null,
  builtinFilters: [],
  customFilters: [],
  scanOutput: null,
  failMode: null,
};
