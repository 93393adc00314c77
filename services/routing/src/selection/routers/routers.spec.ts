import { deepEqual, equal, ok } from 'node:assert/strict';
import { createCatalog } from '@sluice/catalog';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { isRejection } from '@sluice/errors';
import { composeDemands, type Demands } from '@sluice/policy';
import { describe, test } from 'vitest';
import { textCall } from '../../testing/text-call.ts';
import { choose, type Choosing } from '../choose.ts';
import { preferring } from '../testing/preferring.ts';
import { routers, routersBySlug } from './index.ts';
import type { Router } from './router.ts';

const catalog = createCatalog(
  [
    sampleModel('a/slow'),
    sampleModel('a/fast', { endpoints: [sampleEndpoint('a/fast', 'groq')] }),
    sampleModel('a/shaky', { endpoints: [sampleEndpoint('a/shaky', 'mistral')] }),
  ],
  [],
);

/** Chooses the permitted models, those without failures first. */
const steady: Router = {
  slug: 'service/steady',
  strategy: 'auto',
  expand({ preferences }, { catalog: { listed }, permits, rankings: { condition } }) {
    const models = listed
      .filter((model) => model.endpoints.every((endpoint) => permits(model, endpoint)))
      .map(({ id, endpoints }) => ({
        id,
        isUnstable: endpoints.some((endpoint) => condition(endpoint.id)?.isUnstable),
      }))
      .toSorted((one, other) => Number(one.isUnstable) - Number(other.isUnstable))
      .map(({ id }) => id);
    if (models.length > 0) return { models };
    return { rejected: 'not_found', message: `nothing for ${preferences.models.join(', ')}` };
  },
};

const shaky = {
  latencyMs: undefined,
  tokensPerSecond: undefined,
  isUnstable: true,
  isOut: false,
  isPoorWithTools: false,
};
const chosen = (names: readonly string[], changes: Partial<Choosing> = {}) =>
  choose(textCall('x', { preferences: preferring({ models: names }) }), {
    catalog,
    guardrails: composeDemands([]),
    inputTokens: 1,
    now: () => new Date(0),
    condition: () => undefined,
    sticky: undefined,
    random: () => 0,
    routers: routersBySlug([steady]),
    ...changes,
  });
const modelsOf = (plan: ReturnType<typeof chosen>) => {
  ok(!isRejection(plan), isRejection(plan) ? plan.message : '');
  return plan.attempts.map(({ model }) => model.id);
};

describe('a router', () => {
  test('knows what guardrails permit and how endpoints fare', () => {
    deepEqual(modelsOf(chosen(['service/steady'])), ['a/slow', 'a/fast', 'a/shaky']);
    const ofGroq = composeDemands([{ ...nothing, ignoredProviders: ['groq'] }]);
    deepEqual(modelsOf(chosen(['service/steady'], { guardrails: ofGroq })), ['a/slow', 'a/shaky']);
    const slow = catalog.find('a/slow')?.endpoints[0]?.id;
    const condition = (id: string) => (id === slow ? shaky : undefined);
    deepEqual(modelsOf(chosen(['service/steady'], { condition })), ['a/fast', 'a/shaky', 'a/slow']);
  });

  test('counts as the first name that was asked for, with its strategy', () => {
    const plan = chosen(['service/steady', 'a/slow']);
    ok(!isRejection(plan));
    equal(plan.strategy, 'auto');
    equal(plan.requested, 'service/steady');
    deepEqual(plan.askedFirst, ['a/slow', 'a/fast', 'a/shaky']);
  });

  test('that finds nothing leaves the request to the other names, or refuses it', () => {
    const routersOf = routersBySlug([
      { ...steady, expand: () => ({ rejected: 'not_found', message: 'nothing' }) },
    ]);
    deepEqual(modelsOf(chosen(['service/steady', 'a/fast'], { routers: routersOf })), ['a/fast']);
    const refused = chosen(['service/steady'], { routers: routersOf });
    equal(isRejection(refused) && refused.message, 'nothing');
  });

  test('of another table is a name like any other', () => {
    const refused = chosen(['service/steady'], { routers });
    equal(isRejection(refused) && refused.rejected, 'model_not_found');
  });
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
