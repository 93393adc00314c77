import { deepEqual, equal, ok } from 'node:assert/strict';
import { createCatalog } from '@sluice/catalog';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { isRejection } from '@sluice/errors';
import { composeDemands } from '@sluice/policy';
import { describe, test } from 'vitest';
import { textCall } from '../../testing/text-call.ts';
import { choose } from '../choose.ts';
import { chanceOf } from '../draw.ts';
import { preferring } from '../testing/preferring.ts';

const freeModel = (id: string, contextLength?: number) =>
  sampleModel(id, {
    endpoints: [
      sampleEndpoint(id, 'openai', {
        pricing: { prompt: '0', completion: '0' },
        ...(contextLength !== undefined && { contextLength }),
      }),
    ],
  });
const catalog = createCatalog(
  [freeModel('a/one'), freeModel('a/two'), freeModel('a/short', 10_000), sampleModel('a/paid')],
  [],
);

interface Kept {
  readonly seed: string;
  readonly candidates: readonly { readonly model: string; readonly chance: number }[];
  readonly excluded: { readonly cannot_serve: number };
}

function keptOf(random: () => number) {
  const plan = choose(textCall('x', { preferences: preferring({ models: ['service/free'] }) }), {
    catalog,
    guardrails: composeDemands([]),
    inputTokens: 100_000,
    now: () => new Date(0),
    condition: () => undefined,
    sticky: undefined,
    random,
  });
  ok(!isRejection(plan), isRejection(plan) ? plan.message : '');
  const { router } = plan.explanation;
  return { served: plan.attempts[0].model.id, kept: router?.report?.data as unknown as Kept };
}

describe('the record of a free choice', () => {
  test('has the seed with which the same order is drawn again', () => {
    for (const chance of [0, 0.2, 0.4, 0.6, 0.8, 0.999]) {
      const { served, kept } = keptOf(() => chance);
      const again = ['a/one', 'a/two']
        .map((model) => ({ model, chance: chanceOf(kept.seed, model) }))
        .toSorted((one, other) => one.chance - other.chance);
      deepEqual(kept.candidates, again);
      equal(served, again[0]?.model);
      deepEqual(kept.excluded, { cannot_serve: 1 });
    }
  });

  test('differs from seed to seed', () => {
    const served = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map(
      (chance) => keptOf(() => chance).served,
    );
    deepEqual(new Set(served), new Set(['a/one', 'a/two']));
  });
});
