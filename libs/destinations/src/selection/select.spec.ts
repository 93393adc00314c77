import { equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isSampled } from './sampling.ts';
import { compileSelection, type FinishedGeneration, type Selection } from './select.ts';

const selection: Selection = {
  destinationId: 'd-1',
  isBroadcastEnabled: true,
  enabled: true,
  regions: ['global', 'us'],
  apiKeyHashes: ['key-1'],
  filterRules: { groups: [{ rules: [{ field: 'model', operator: 'equals', value: 'sim/echo' }] }] },
  samplingRate: 1,
};
const generation: FinishedGeneration = {
  region: 'us',
  apiKeyHash: 'key-1',
  sessionId: '',
  traceId: 'trace-1',
  values: { model: 'sim/echo' },
};

describe('a destination', () => {
  test.each<[expected: string | undefined, Partial<Selection>]>([
    [undefined, {}],
    [undefined, { apiKeyHashes: null, filterRules: null }],
    ['broadcast_off', { isBroadcastEnabled: false, enabled: false, regions: [] }],
    ['disabled', { enabled: false, regions: [] }],
    ['other_region', { regions: ['global', 'europe'], apiKeyHashes: [] }],
    ['other_key', { apiKeyHashes: [], filterRules: selection.filterRules }],
    [
      'filtered',
      {
        filterRules: { groups: [{ rules: [{ field: 'model', operator: 'not_exists' }] }] },
        samplingRate: 0.0001,
      },
    ],
    ['not_sampled', { samplingRate: 0.0001 }],
  ])('answers %s with %j', (expected, changes) => {
    equal(compileSelection({ ...selection, ...changes })(generation), expected);
  });
});

describe('sampling', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `trace-${index}`);

  test('keeps about its share, and at a higher rate all of a lower one', () => {
    for (const [rate, other] of [
      [0.1, 0.2],
      [0.5, 0.9],
    ] as const) {
      const kept = ids.filter((id) => isSampled('d-1', id, rate));
      ok(Math.abs(kept.length / ids.length - rate) < 0.02);
      ok(kept.every((id) => isSampled('d-1', id, other)));
    }
    ok(ids.every((id) => isSampled('d-1', id, 1)));
  });

  test('depends on the destination', () => {
    const both = ids.filter((id) => isSampled('d-1', id, 0.5) && isSampled('d-2', id, 0.5));
    ok(Math.abs(both.length / ids.length - 0.25) < 0.02);
  });

  test('keeps a session together', () => {
    const select = compileSelection({ ...selection, samplingRate: 0.5 });
    for (const sessionId of ['s-1', 's-2', 's-3', 's-4', 's-5']) {
      const answers = ids
        .slice(0, 50)
        .map((traceId) => select({ ...generation, sessionId, traceId }));
      equal(new Set(answers).size, 1);
    }
  });
});
