import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { whileItChanges } from './progress.ts';

const options = { quietMs: 50, pollMs: 1 };

describe('a changing answer is polled', () => {
  test('until it is right, however long that takes', async () => {
    let rows = 0;
    const startedMs = performance.now();
    const ask = async () => ({ rows: (rows += 1) });
    const isLate = () => performance.now() - startedMs > 4 * options.quietMs;
    const told = await whileItChanges(ask, isLate, options);
    equal(told.rows, rows);
  });

  test('until it stops changing', async () => {
    let rows = 0;
    const ask = async () => ({ rows: Math.min((rows += 1), 7) });
    deepEqual(await whileItChanges(ask, () => false, options), { rows: 7 });
  });

  test('not for ever', async () => {
    let rows = 0;
    const ask = async () => (rows += 1);
    await whileItChanges(ask, () => false, { ...options, totalMsMax: 100 });
  });
});
