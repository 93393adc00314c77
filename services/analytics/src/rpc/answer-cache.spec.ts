import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { AnswerCache } from './answer-cache.ts';

/** A cache whose queries take a time, and a function that asks at an instant and says how old the answer is. */
function cacheOf(tookMs: number, { isOfNow }: { readonly isOfNow: boolean }) {
  let nowMs = 0;
  const cache = new AnswerCache({ now: () => new Date(nowMs) });
  return async (atMs: number) => {
    nowMs = atMs;
    const { cachedAtMs } = await cache.answer({ key: 'a', isOfNow }, async () => {
      nowMs += tookMs;
      return { rows: [], truncated: false, warnings: [] };
    });
    return cachedAtMs === undefined ? 'new' : atMs - cachedAtMs;
  };
}

describe('an answer', () => {
  test.each([
    ['about the past is kept ten times as long as its query took', false, 40, 439, 440],
    ['about the past is kept for half a minute at most', false, 5_000, 34_999, 35_000],
    ['about now is kept ten times as long, too', true, 40, 439, 440],
    ['about now is kept for half a second at most', true, 400, 899, 900],
    ['about now is kept for as long as a slow query took', true, 4_000, 7_999, 8_000],
  ])('%s', async (_name, isOfNow, tookMs, lastMs, afterMs) => {
    const ask = cacheOf(tookMs, { isOfNow });
    deepEqual([await ask(0), await ask(lastMs), await ask(afterMs)], ['new', lastMs, 'new']);
  });
});
