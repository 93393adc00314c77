import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { fullPlan, headlineCell, latencyCell, nameOf, quickPlan, roundMsOf } from './plan.ts';

describe('the plan', () => {
  test('holds in full every body, concurrency, mode and delay with every other, once', () => {
    equal(new Set(fullPlan.cells.map(nameOf)).size, 3 * 3 * 2 * 2);
    equal(fullPlan.cells.length, 36);
  });

  test('holds in short what the ratios and the latencies are read from, and both modes', () => {
    const names = quickPlan.cells.map(nameOf);
    ok(names.includes(nameOf(headlineCell)));
    ok(names.includes(nameOf(latencyCell)));
    deepEqual(
      new Set(quickPlan.cells.map(({ isStreaming }) => isStreaming)),
      new Set([true, false]),
    );
    const known = new Set(fullPlan.cells.map(nameOf));
    ok(names.every((name) => known.has(name)));
  });

  test('has the time for its rounds', () => {
    for (const plan of [fullPlan, quickPlan]) ok(roundMsOf(plan, 5) * plan.rounds <= plan.budgetMs);
  });
});

test('a cell is named by what is asked in it', () => {
  deepEqual(
    [
      headlineCell,
      { ...headlineCell, bodyBytes: 10_240, isStreaming: true, upstreamDelayMs: 20 },
    ].map(nameOf),
    ['200 B × 32', '10 KB × 32, streaming, upstream 20 ms'],
  );
});
