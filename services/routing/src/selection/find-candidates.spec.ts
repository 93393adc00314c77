import { deepEqual, equal, ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { describe, test } from 'vitest';
import { type Catalog, createCatalog } from '@sluice/catalog';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { composeDemands } from '@sluice/policy';
import { textCall } from '../testing/text-call.ts';
import { findCandidates } from './find-candidates.ts';
import { preferring } from './testing/preferring.ts';

const models = [
  sampleModel('a/b', { aliases: ['~a/latest'] }),
  sampleModel('a/b-pro'),
  sampleModel('a/c'),
];
const finding = (catalog: Catalog) => ({
  catalog,
  now: () => new Date(0),
  inputTokens: 1,
  random: () => 0,
  condition: () => undefined,
  guardrails: composeDemands([]),
});
const find = (wantsPro: boolean, ...names: readonly string[]) =>
  findCandidates(
    textCall('x', { preferences: preferring({ models: names, wantsPro }) }),
    finding(createCatalog(models, [])),
  );
const served = (...of: Parameters<typeof find>) => {
  const found = find(...of);
  ok(!isRejection(found), 'somebody is found');
  return found.candidates.map(({ model }) => model.id);
};

describe('any model that costs nothing', () => {
  const free = { pricing: { prompt: '0', completion: '0' } };
  const known = [
    sampleModel('a/paid'),
    sampleModel('a/free', {
      endpoints: [sampleEndpoint('a/free', 'openai', free), sampleEndpoint('a/free', 'groq')],
    }),
    sampleModel('a/asked', {
      endpoints: [
        sampleEndpoint('a/asked', 'openai', {
          pricing: { ...free.pricing, request: '0.000001' },
        }),
      ],
    }),
    sampleModel('b/free', { endpoints: [sampleEndpoint('b/free', 'mistral', free)] }),
    sampleModel('b/hidden', {
      endpoints: [sampleEndpoint('b/hidden', 'mistral', free)],
      isHidden: true,
    }),
  ];
  const drawn = (random: readonly number[], of = known, ...names: readonly string[]) => {
    const left = [...random];
    return findCandidates(
      textCall('x', { preferences: preferring({ models: ['service/free', ...names] }) }),
      { ...finding(createCatalog(of, [])), random: () => left.shift() ?? 0 },
    );
  };
  const names = (...of: Parameters<typeof drawn>) => {
    const found = drawn(...of);
    ok(!isRejection(found));
    equal(found.strategy, 'free');
    return found.candidates.map(({ model, endpoint }) => [model.id, endpoint.endpoint.provider]);
  };

  test('is drawn from those that are listed, with its free endpoints alone', () => {
    const both = [
      ['a/free', 'openai'],
      ['b/free', 'mistral'],
    ];
    const orders = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7].map((chance) => names([chance]));
    for (const order of orders) deepEqual(new Set(order.map(String)), new Set(both.map(String)));
    deepEqual(new Set(orders.map(([first]) => first?.[0])), new Set(['a/free', 'b/free']));
  });

  test('may have fallbacks, or not exist', () => {
    deepEqual(names([], known.slice(0, 1), 'a/paid'), [['a/paid', 'openai']]);
    const nobody = drawn([], known.slice(0, 1));
    ok(isRejection(nobody));
    deepEqual([nobody.rejected, nobody.message], ['not_found', 'There is no free model']);
  });
});

describe('a model that is to think longest', () => {
  test('is the sibling of the one that is named', () => {
    deepEqual(served(true, 'a/b'), ['a/b-pro']);
    deepEqual(served(true, '~a/latest:nitro'), ['a/b-pro']);
    deepEqual(served(true, 'a/b-pro'), ['a/b-pro']);
    deepEqual(served(true, 'a/c', 'a/b'), ['a/b-pro']);
    deepEqual(served(false, 'a/b'), ['a/b']);
  });

  test('cannot be one that has no such sibling, and not one that does not exist', () => {
    const refusal = find(true, 'a/c', 'nobody/nothing');
    ok(isRejection(refusal));
    equal(refusal.message, 'Invalid request: reasoning.mode: this model has no pro mode');
    const unknown = find(true, 'nobody/nothing');
    ok(isRejection(unknown) && unknown.rejected === 'model_not_found');
  });
});
