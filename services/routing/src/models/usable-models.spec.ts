import { deepEqual, equal, ok } from 'node:assert/strict';
import { Fault, isRejection } from '@sluice/errors';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { createCatalog, type Model } from '@sluice/catalog';
import { choose } from '../selection/choose.ts';
import type { Credential } from '../credentials/credential.ts';
import { demandsOf } from '../policy/demands-of.ts';
import { parseResponsesRequest } from '../dialects/responses/read/parse-request.ts';
import type { OwnModels } from './own-models.ts';
import { dataOf, listing, policyOf, type Rules } from '../testing/sample-listing.ts';
import { anyModel, sampleEndpoint, sampleModel, sampleProviders } from '@sluice/catalog/testing';

describe('a key can be used for', () => {
  const keepsNothing = { retains: false, trains: false, publishes: false };
  const trains = { retains: true, trains: true, publishes: true };
  const free = { prompt: '0', completion: '0' };
  const models = [
    sampleModel('openai/a', {
      canonicalSlug: 'openai/a-2026',
      endpoints: [
        sampleEndpoint('openai/a', 'openai'),
        sampleEndpoint('openai/a', 'azure', { dataPolicy: keepsNothing, dataRegion: 'europe' }),
      ],
    }),
    sampleModel('google/b', {
      endpoints: [sampleEndpoint('google/b', 'groq', { dataPolicy: trains })],
    }),
    sampleModel('x/c', {
      endpoints: [sampleEndpoint('x/c', 'groq', { dataPolicy: trains, pricing: free })],
    }),
    sampleModel('x/own', {
      endpoints: [sampleEndpoint('x/own', 'mistral', { isByokOnly: true })],
    }),
  ];
  const usable = (rules: readonly Partial<Rules>[], credentials: readonly Credential[] = []) =>
    listing(models, { policy: policyOf(...rules), credentials }).ids('usable-models');
  const values = (...some: string[]) => ({ values: some });
  const open = ['openai/a', 'google/b', 'x/c'];

  test.each<[string, readonly Partial<Rules>[], readonly string[]]>([
    ['all but what needs an own credential', [], open],
    ['no other model', [{ allowedModels: values('openai/a-2026', 'x/c') }], ['openai/a', 'x/c']],
    [
      'what every guardrail allows',
      [{ allowedModels: values('openai/a-2026', 'x/c') }, { allowedModels: values('x/c') }],
      ['x/c'],
    ],
    ['not what one of them ignores', [{ ignoredModels: values('x/c') }, {}], open.slice(0, 2)],
    ['no other provider', [{ allowedProviders: values('azure') }], ['openai/a']],
    ['not a provider that is ignored', [{ ignoredProviders: values('groq') }], ['openai/a']],
    ['nothing where its region is not allowed', [{ allowedDataRegions: values('europe') }], []],
    ['all where it is', [{ allowedDataRegions: values('europe', 'global') }], open],
    [
      'nothing that keeps what it is sent',
      [{ zeroRetention: { google: true } }],
      ['openai/a', 'x/c'],
    ],
    ['nor of a family that has no name', [{ zeroRetention: { other: true } }], open.slice(0, 2)],
    ['no training for money', [{ enablePaidModelTraining: false }], ['openai/a', 'x/c']],
    ['no training for nothing', [{ enableFreeModelTraining: false }], open.slice(0, 2)],
    ['nothing that is published', [{ enableFreeModelPublication: false }], open.slice(0, 2)],
    ['nothing at all', [{ allowedModels: values('no/such') }], []],
  ])('%s', async (_rule, rules, expected) => {
    deepEqual(await usable(rules), expected);
  });

  const credential: Credential = {
    id: 'c',
    provider: 'mistral',
    secretId: 's',
    sortOrder: 0,
    isFallback: false,
    isRequired: false,
    isByokOnly: false,
    declaredZdr: undefined,
    models: undefined,
    keyHashes: undefined,
    userIds: undefined,
  };

  test('what a credential of its own opens', async () => {
    deepEqual(await usable([], [credential]), [...open, 'x/own']);
    const others = { ...credential, keyHashes: new Set(['another key']) };
    deepEqual(await usable([], [others]), open);
  });

  test('a model that only a private endpoint of its organization may serve', async () => {
    const own = sampleEndpoint('x/c', 'mistral', { isByokOnly: true });
    const isPrivate = true as const;
    const joined = { ...own, endpoint: { ...own.endpoint, isPrivate } };
    const asked: (string | undefined)[] = [];
    const ownModels: OwnModels = (some, of) => {
      asked.push(of?.accountId);
      const join = (model: Model) =>
        model.id === 'x/c' ? { ...model, endpoints: [joined, ...model.endpoints] } : model;
      return Promise.resolve(of ? some.map(join) : some);
    };
    const policy = policyOf({ allowedProviders: values('mistral') });
    const of = (credentials: readonly Credential[]) =>
      listing(models, { policy, credentials, more: { ownModels } });
    deepEqual(await of([credential]).ids('usable-models'), ['x/c', 'x/own']);
    deepEqual(await of([]).ids('usable-models'), []);
    deepEqual(asked, ['account', undefined]);
  });

  test('a model at the price of the endpoints that are left', async () => {
    const policy = policyOf({ allowedProviders: values('azure') });
    const endpoints = [
      sampleEndpoint('a/b', 'openai', { pricing: { prompt: '0.1', completion: '0.1' } }),
      sampleEndpoint('a/b', 'azure', { pricing: { prompt: '0.2', completion: '0.2' } }),
    ];
    const { read } = listing([sampleModel('a/b', { endpoints })], { policy });
    const [model] = await dataOf<{ pricing: object }[]>(read('usable-models'));
    deepEqual(model?.pricing, { prompt: '0.2', completion: '0.2' });
  });

  test('no model without a key, in a deleted workspace, or while the policy is unknown', async () => {
    const { lists } = listing(models);
    const anonymous = { view: 'usable-models', parameters: {}, reportsMeasured: false } as const;
    equal((await lists.read(anonymous)).status, 401);
    const gone = listing(models, { policy: { ...policyOf(), isWorkspaceAlive: false } });
    ok([403, 404].includes((await gone.read('usable-models')).status));
    const policies = { find: () => Promise.reject(new Fault('unavailable')) };
    equal((await listing(models, { more: { policies } }).read('usable-models')).status, 503);
  });
});

test('a key can be used for exactly the models at which its requests are tried', async () => {
  const slugs = <Value extends string>(values: readonly Value[]) =>
    fc.option(
      fc.subarray([...values], { minLength: 1 }).map((some) => ({ values: some })),
      { nil: undefined },
    );
  const rules = fc.record({
    allowedProviders: slugs(sampleProviders),
    ignoredProviders: slugs(sampleProviders),
    zeroRetention: fc.record({ openai: fc.boolean(), google: fc.boolean(), xai: fc.boolean() }),
    enableFreeModelTraining: fc.boolean(),
  });
  const input = Buffer.from(JSON.stringify({ model: 'a/b', input: 'x' }));
  const plain = parseResponsesRequest(input);
  ok(!isRejection(plain));
  let [open, closed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(anyModel, { maxLength: 8, selector: ({ id }) => id }),
      fc.array(rules, { maxLength: 2 }),
      async (any, some) => {
        const models = any.map((model) => ({
          ...model,
          endpoints: model.endpoints.map((one) => ({ ...one, tier: 'default' as const })),
        }));
        const policy = policyOf(...some);
        const usable = await listing(models, { policy }).ids('usable-models', {
          output_modalities: 'all',
        });
        for (const { id } of models) {
          const plan = choose(
            { ...plain, preferences: { ...plain.preferences, models: [id] } },
            {
              catalog: createCatalog(models, []),
              guardrails: demandsOf(policy),
              inputTokens: 1,
              now: () => new Date(0),
              condition: () => undefined,
              sticky: () => undefined,
              random: () => 0,
            },
          );
          equal(usable.includes(id), !isRejection(plan), id);
          if (isRejection(plan)) closed++;
          else open++;
        }
      },
    ),
    { numRuns: 200, seed: 11 },
  );
  ok(open > 50 && closed > 50, `${open} were usable, ${closed} were not`);
});
