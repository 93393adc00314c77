import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { setImmediate as lap } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { eachAtOnce } from './each-at-once.ts';

describe('acting on each of many', () => {
  test('acts on each once, and on no more at a time than it may', async () => {
    const done: number[] = [];
    let open = 0;
    let openMost = 0;
    await eachAtOnce(new Set([1, 2, 3, 4, 5, 6, 7]), 3, async (item) => {
      openMost = Math.max(openMost, ++open);
      await lap();
      open -= 1;
      done.push(item);
    });
    deepEqual([done.toSorted((one, other) => one - other), openMost], [[1, 2, 3, 4, 5, 6, 7], 3]);
  });

  test('begins nothing new after a failure, and throws it when what was begun has ended', async () => {
    const begun: number[] = [];
    let open = 0;
    const acting = eachAtOnce([1, 2, 3, 4, 5, 6], 2, async (item) => {
      begun.push(item);
      open += 1;
      await lap();
      open -= 1;
      if (item === 2) throw new Error('no');
      await lap();
    });
    await rejects(acting, /no/);
    equal(open, 0);
    ok(begun.length < 6, `${begun.length} were begun`);
  });
});
