import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { composeDemands, type Demands } from '@sluice/policy';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import {
  type Catalog,
  type CatalogEndpoint,
  createCatalog,
  loadCatalog,
  modelRow,
  type Pricing,
} from '@sluice/catalog';
import type { RequestDefaults } from '../policy/policy.ts';
import { parseResponsesRequest } from '../dialects/responses/read/parse-request.ts';
import { serviceMetadata } from '../response/service-metadata.ts';
import { sampleEndpoint } from '@sluice/catalog/testing';
import type { Availability } from './availability.ts';
import { choose } from './choose.ts';
import { routedOf } from './plan.ts';

const catalog = loadCatalog({
  simulatorUrl: 'http://127.0.0.1:1',
  file: undefined,
  settings: () => undefined,
});
const nothing: Demands = {
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

interface Given {
  readonly guardrails?: readonly Demands[];
  readonly random?: number;
  readonly inputTokens?: number;
  readonly defaults?: RequestDefaults;
  readonly catalog?: Catalog;
}

function chosen(fields: object, given: Given = {}) {
  const { guardrails = [], random = 0, inputTokens = 10, defaults = {} } = given;
  const body = { model: 'sim/trio', input: 'x', ...fields };
  const request = parseResponsesRequest(Buffer.from(JSON.stringify(body)), defaults);
  ok(!isRejection(request), isRejection(request) ? request.message : '');
  return choose(request, {
    catalog: given.catalog ?? catalog,
    guardrails: composeDemands(guardrails),
    inputTokens,
    now: () => new Date(0),
    condition: () => undefined,
    sticky: () => undefined,
    random: () => random,
  });
}

function tried(...of: Parameters<typeof chosen>): readonly string[] {
  const plan = chosen(...of);
  ok(!isRejection(plan), isRejection(plan) ? plan.message : '');
  return plan.attempts.map(({ endpoint }) => endpoint.tag);
}

function refused(...of: Parameters<typeof chosen>) {
  const rejection = chosen(...of);
  ok(isRejection(rejection), 'somebody is left');
  const reason = rejection.metadata?.['availability'] as Availability;
  return { rejected: rejection.rejected, code: reason.code, by: reason.excluded_by, reason };
}

describe('a preference', () => {
  test.each<[object, readonly string[]]>([
    [{}, ['sim-a/us-east', 'sim-b', 'sim-c']],
    [{ order: ['sim-c'] }, ['sim-c', 'sim-a/us-east', 'sim-b']],
    [{ order: ['Simulator C', 'SIM-B'], allow_fallbacks: false }, ['sim-c', 'sim-b']],
    [{ only: ['sim-a', 'sim-c'] }, ['sim-a/us-east', 'sim-c']],
    [{ only: ['sim-a/us-east'] }, ['sim-a/us-east']],
    [{ ignore: ['sim-a', 'no-such-provider'] }, ['sim-b', 'sim-c']],
    [{ quantizations: ['bf16'] }, ['sim-b']],
    [{ zdr: true }, ['sim-c']],
    [{ data_collection: 'deny' }, ['sim-c']],
    [{ max_price: { prompt: '2' } }, ['sim-a/us-east', 'sim-b']],
    [{ max_price: { completion: 1 } }, ['sim-a/us-east']],
    [{ sort: 'price', allow_fallbacks: false }, ['sim-a/us-east']],
  ])('%o leaves these in this order', (provider, expected) => {
    deepEqual(tried({ provider }), expected);
  });

  test.each<[object, string, string, string]>([
    [{ only: ['elsewhere'] }, 'not_found', 'no_endpoints', 'allowed_providers'],
    [{ ignore: ['sim-a', 'sim-b', 'sim-c'] }, 'not_found', 'no_endpoints', 'allowed_providers'],
    [{ quantizations: ['int4'] }, 'not_found', 'constraint_filtered', 'quantization'],
    [{ max_price: { prompt: '0.5' } }, 'not_found', 'constraint_filtered', 'max_price'],
    [{ only: ['sim-a'], zdr: true }, 'not_found', 'privacy_restricted', 'data_policy:zdr'],
    [
      { only: ['sim-a'], data_collection: 'deny' },
      'not_found',
      'privacy_restricted',
      'data_policy:training',
    ],
    [{ enforce_distillable_text: true }, 'not_found', 'constraint_filtered', 'distillable'],
  ])('%o that leaves no endpoint is refused with its reason', (provider, rejected, code, by) => {
    const answer = refused({ provider });
    deepEqual([answer.rejected, answer.code], [rejected, code]);
    ok(answer.by?.includes(by), String(answer.by));
    deepEqual(answer.reason.requested_models, ['sim/trio']);
    equal(answer.reason.retryable, false);
  });

  test('is the default of the workspace where nothing else is said', () => {
    const first = (fields: object, sort?: 'price') =>
      tried(fields, { random: 0.99, defaults: { sort } })[0];
    notEqual(first({}), 'sim-a/us-east');
    equal(first({}, 'price'), 'sim-a/us-east');
    equal(first({ provider: { order: ['sim-c'] } }, 'price'), 'sim-c');
    equal(first({ model: 'sim/tiers', service_tier: 'priority' }, 'price'), 'sim-t/priority');
  });

  test('is refused by its path when it is none', () => {
    for (const [provider, path] of [
      [{ nonsense: 1 }, 'provider.nonsense'],
      [{ order: [1] }, 'provider.order[0]'],
      [{ sort: 'beauty' }, 'provider.sort'],
      [{ sort: { by: 'price', partition: 'some' } }, 'provider.sort.partition'],
      [{ max_price: { prompt: 'cheap' } }, 'provider.max_price.prompt'],
      [{ max_price: { prompt: -1 } }, 'provider.max_price.prompt'],
      [{ quantizations: ['fp9'] }, 'provider.quantizations[0]'],
      [{ preferred_max_latency: { p50: 'x' } }, 'provider.preferred_max_latency.p50'],
      [{ data_collection: 'maybe' }, 'provider.data_collection'],
    ] as const) {
      const body = { model: 'sim/trio', input: 'x', provider };
      const request = parseResponsesRequest(Buffer.from(JSON.stringify(body)));
      ok(isRejection(request));
      ok(request.message.startsWith(`Invalid request: ${path}: `), request.message);
    }
  });
});

describe('a guardrail', () => {
  test('permits and refuses providers and models, with 403 if no endpoint is left', () => {
    deepEqual(tried({}, { guardrails: [{ ...nothing, allowedProviders: ['sim-b'] }] }), ['sim-b']);
    deepEqual(tried({}, { guardrails: [{ ...nothing, ignoredProviders: ['sim-a'] }] }), [
      'sim-b',
      'sim-c',
    ]);
    const other = { ...nothing, allowedProviders: ['sim-c'] };
    const both = refused({}, { guardrails: [{ ...nothing, allowedProviders: ['sim-b'] }, other] });
    deepEqual([both.rejected, both.code], ['permission_denied', 'no_endpoints']);
    const models = refused({}, { guardrails: [{ ...nothing, ignoredModels: ['sim/trio'] }] });
    deepEqual([models.rejected, models.code], ['permission_denied', 'no_endpoints']);
  });

  test('demands zero retention, with 404 if no endpoint offers it', () => {
    const zero = { ...nothing, zeroRetention: { ...nothing.zeroRetention, other: true } };
    deepEqual(tried({}, { guardrails: [zero] }), ['sim-c']);
    const answer = refused({ model: 'sim/echo' }, { guardrails: [zero] });
    deepEqual([answer.rejected, answer.code], ['not_found', 'privacy_restricted']);
  });

  test('cannot be relaxed by a request', () => {
    const zero = { ...nothing, zeroRetention: { ...nothing.zeroRetention, other: true } };
    deepEqual(tried({ provider: { zdr: false, order: ['sim-a'] } }, { guardrails: [zero] }), [
      'sim-c',
    ]);
  });
});

describe('models', () => {
  test('that are named as fallbacks come after the first, whatever they cost', () => {
    const plan = chosen({ model: 'sim/trio', models: ['sim/echo', 'sim/trio'] });
    ok(!isRejection(plan));
    const ids = plan.attempts.map(({ model }) => model.id);
    deepEqual(ids, ['sim/trio', 'sim/trio', 'sim/trio', 'sim/echo']);
    deepEqual(plan.requestedModels, ['sim/trio', 'sim/echo']);
  });

  test('may be named in the list alone; one that does not exist is skipped', () => {
    const plan = chosen({ model: undefined, models: ['no/such', 'sim/echo'] });
    ok(!isRejection(plan));
    equal(plan.attempts[0].model.id, 'sim/echo');
    equal(refused({ model: 'no/such', models: ['no/other'] }).code, 'model_not_found');
  });

  describe('that answer with something else than a response', () => {
    const known = createCatalog(
      (
        [
          ['a/text', ['text']],
          ['a/pictures', ['image']],
          ['a/vectors', ['embeddings']],
          ['a/ranks', ['rerank']],
          ['a/speech', ['speech', 'audio']],
          ['a/words', ['transcription']],
          ['a/films', ['video']],
        ] as const
      ).map(([id, outputModalities]) =>
        modelRow({ id, endpoints: [sampleEndpoint(id, 'openai', { outputModalities })] }),
      ),
      [],
    );
    const asked = (...models: readonly string[]) =>
      chosen({ models, model: undefined }, { catalog: known });

    test.each(['a/vectors', 'a/ranks', 'a/speech', 'a/words', 'a/films'])(
      'are refused: %s belongs to another endpoint',
      (model) => {
        const refusal = asked(model);
        ok(isRejection(refusal));
        equal(refusal.rejected, 'invalid_request');
        const reason = refusal.metadata?.['availability'] as Availability;
        deepEqual(
          [reason.code, reason.retryable, reason.requested_models],
          ['wrong_endpoint', false, [model]],
        );
        ok(refusal.message.startsWith(`${model} cannot be used with /responses`), refusal.message);
      },
    );

    test.each(['a/text', 'a/pictures'])('are not %s', (model) => ok(!isRejection(asked(model))));

    test('are skipped where another of the models can answer', () => {
      const plan = asked('a/vectors', 'a/text');
      ok(!isRejection(plan));
      deepEqual(
        plan.attempts.map(({ model }) => model.id),
        ['a/text'],
      );
    });
  });

  test('have suffixes that sort and let tiers in', () => {
    deepEqual(tried({ model: 'sim/tiers' }), ['sim-t']);
    deepEqual(tried({ model: 'sim/tiers:floor' }), ['sim-t/flex', 'sim-t']);
    deepEqual(new Set(tried({ model: 'sim/tiers:nitro' })), new Set(['sim-t', 'sim-t/priority']));
    deepEqual(tried({ model: 'sim/tiers:floor', service_tier: 'default' }), ['sim-t']);
    equal(refused({ model: 'openai/trio:nonsense' }).code, 'model_not_found');
  });

  test('have service tiers', () => {
    const tier = (service_tier: string) => tried({ model: 'sim/tiers', service_tier });
    deepEqual(tier('priority'), ['sim-t/priority', 'sim-t']);
    deepEqual(tier('fast'), ['sim-t/priority', 'sim-t']);
    deepEqual(tier('flex'), ['sim-t/flex']);
    deepEqual(tier('auto'), ['sim-t']);
    const provider = { only: ['sim-t/priority'] };
    deepEqual(tried({ model: 'sim/tiers', provider }), ['sim-t/priority']);
  });

  describe('are known by what was asked first', () => {
    const strategyOf = (fields: object) => {
      const plan = chosen(fields);
      ok(!isRejection(plan));
      const [first] = plan.attempts;
      const served = { turn: 1, provider: '', model: first.model.id, errorCode: '', isByok: false };
      return serviceMetadata(routedOf(plan), [served], undefined).strategy;
    };
    const names = ['sim/echo', 'sim/trio'];
    test.each<[string, object, string]>([
      ['the first one serves', { models: names }, 'direct'],
      [
        'the first one was filtered away',
        { models: names, provider: { only: ['sim-b'] } },
        'fallback',
      ],
      ['the first one does not exist', { models: ['no/such', ...names] }, 'fallback'],
      [
        'the first one stands in model',
        { model: 'sim/echo', models: ['sim/trio'], provider: { only: ['sim-b'] } },
        'fallback',
      ],
      [
        'the last one is the only one left',
        { models: ['sim/echo', 'sim/chat', 'sim/trio'], provider: { only: ['sim-c'] } },
        'fallback',
      ],
      [
        'another one comes first in one order over all',
        { models: names, provider: { sort: { by: 'price', partition: 'none' }, order: ['sim-c'] } },
        'fallback',
      ],
    ])('%s', (_, fields, strategy) => equal(strategyOf({ model: undefined, ...fields }), strategy));
  });

  test('with a context that is too short for a request are refused with 400', () => {
    const answer = refused({ model: 'sim/echo' }, { inputTokens: 200_000 });
    deepEqual([answer.rejected, answer.by], ['context_length_exceeded', ['context_length']]);
  });
});

describe('whatever is asked', () => {
  const names = fc.uniqueArray(fc.constantFrom('sim-a', 'sim-b', 'sim-c', 'elsewhere'));
  const provider = fc.record(
    {
      order: names,
      only: names,
      ignore: names,
      zdr: fc.boolean(),
      data_collection: fc.constantFrom('allow', 'deny'),
      allow_fallbacks: fc.boolean(),
      quantizations: fc.uniqueArray(fc.constantFrom('fp8', 'bf16', 'unknown')),
      sort: fc.constantFrom('price', 'latency', 'throughput', 'exacto'),
      max_price: fc.record({ prompt: fc.integer({ min: 0, max: 4 }) }),
    },
    { requiredKeys: [] },
  );
  const demands = fc.record({
    allowedProviders: fc.option(
      fc.uniqueArray(fc.constantFrom('sim-a', 'sim-b'), { minLength: 1 }),
    ),
    ignoredProviders: fc.option(fc.constant(['sim-b'])),
  });

  test('an endpoint that was excluded is never tried, and one that was not is', () => {
    fc.assert(
      fc.property(
        provider,
        demands,
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        (asked, rules, random) => {
          const plan = chosen(
            { provider: asked },
            { guardrails: [{ ...nothing, ...rules }], random },
          );
          if (isRejection(plan)) return;
          const out = new Set(plan.explanation.excluded.map(({ endpointId }) => endpointId));
          const ids = plan.attempts.map(({ endpoint }) => endpoint.id);
          equal(new Set(ids).size, ids.length);
          for (const id of ids) ok(!out.has(id));
          if (asked.allow_fallbacks !== false)
            equal(ids.length + out.size, plan.explanation.candidates.length);
          equal(plan.explanation.order.length, ids.length);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('a guardrail that is added never adds an attempt', () => {
    fc.assert(
      fc.property(provider, demands, (asked, rules) => {
        const before = chosen({ provider: { ...asked, allow_fallbacks: true } });
        const after = chosen(
          { provider: { ...asked, allow_fallbacks: true } },
          {
            guardrails: [{ ...nothing, ...rules }],
          },
        );
        if (isRejection(after)) return;
        ok(!isRejection(before));
        const ids = new Set(before.attempts.map(({ endpoint }) => endpoint.id));
        for (const { endpoint } of after.attempts) ok(ids.has(endpoint.id));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a price that depends on the request', () => {
  const choosing = {
    guardrails: composeDemands([]),
    now: () => new Date('2026-11-21T12:00:00.000Z'),
    condition: () => undefined,
    sticky: () => undefined,
    random: () => 0,
  };
  const only = (endpoints: readonly CatalogEndpoint[]) => ({
    catalog: createCatalog([modelRow({ id: 'a/b', endpoints })], []),
  });
  test('decides the order for a prompt of its length', () => {
    const flat = sampleEndpoint('a/b', 'groq', {
      pricing: { prompt: '0.000002', completion: '0.000002' },
    });
    const tiered = sampleEndpoint('a/b', 'openai', {
      pricing: {
        prompt: '0.000001',
        completion: '0.000002',
        overrides: [{ min_prompt_tokens: 100, prompt: '0.000003' }],
      },
    });
    const endpoints = [flat, tiered];
    const request = parseResponsesRequest(
      Buffer.from(JSON.stringify({ model: 'a/b:floor', input: 'x' })),
    );
    ok(!isRejection(request));
    const first = (inputTokens: number) => {
      const plan = choose(request, { ...choosing, ...only(endpoints), inputTokens });
      return isRejection(plan) ? undefined : plan.attempts[0].endpoint.endpoint.provider;
    };
    deepEqual([first(100), first(101)], ['openai', 'groq']);
  });

  const priced = (overrides: Pricing['overrides'], { cap = '10', inputTokens = 10 } = {}) => {
    const endpoint = sampleEndpoint('a/b', 'openai', {
      pricing: { prompt: '0.000001', completion: '0.000002', overrides },
    });
    const body = { model: 'a/b', input: 'x', provider: { max_price: { prompt: cap } } };
    const request = parseResponsesRequest(Buffer.from(JSON.stringify(body)));
    ok(!isRejection(request));
    const plan = choose(request, {
      ...choosing,
      ...only([endpoint]),
      inputTokens,
    });
    return isRejection(plan) ? undefined : plan.attempts[0].endpoint.prices.inputTokenAttoUsd;
  };

  test('is that of its hour, from the choice to the bill', () => {
    equal(priced([{ utc_start: '1200', utc_end: '1300', prompt: '0.000003' }]), 3n * 10n ** 12n);
    equal(priced([{ utc_start: '1300', utc_end: '1200', prompt: '0.000003' }]), 10n ** 12n);
  });

  test('is over a cap only where it holds', () => {
    const hour = [{ utc_start: '1200', utc_end: '1300', prompt: '0.000003' }];
    equal(priced(hour, { cap: '2' }), undefined);
    const long = [{ min_prompt_tokens: 100, prompt: '0.000003' }];
    equal(priced(long, { cap: '2', inputTokens: 100 }), 10n ** 12n);
    equal(priced(long, { cap: '2', inputTokens: 101 }), undefined);
  });
});
