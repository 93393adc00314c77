import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact, aFailure } from '../../testing/a-fact.ts';
import { generationOf } from './generation.ts';

describe('a generation', () => {
  test('that nobody counted is none', () => equal(generationOf([]), undefined));

  test('is its only fact', () => {
    const fact = aFact();
    deepEqual(generationOf([fact]), fact);
  });

  test('of several facts ended as the last one and used what all of them used', () => {
    const first = aFact({ provider: 'broken', costNanoUsd: 3n, estimated: true, latencyMs: 7n });
    const last = aFact({ provider: 'good', costNanoUsd: 4n, latencyMs: 900n });
    const generation = generationOf([first, last]);
    deepEqual(
      [generation?.provider, generation?.costNanoUsd, generation?.estimated, generation?.latencyMs],
      ['good', 7n, true, 7n],
    );
    deepEqual(
      [generation?.inputTokens, generation?.cachedTokens, generation?.outputTokens],
      [20n, 8n, 40n],
    );
  });

  test('leaves out attempts that failed before another one served', () => {
    const admittedAt = '2026-11-18T11:59:59.000Z';
    const served = aFact();
    deepEqual(generationOf([aFailure({ admittedAt }), served]), { ...served, admittedAt });
  });

  test('of which all attempts failed is the last of them', () => {
    const last = aFailure();
    deepEqual(generationOf([aFailure(), last]), last);
  });
});
