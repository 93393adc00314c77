import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import {
  fullPlan,
  guardPlan,
  headlineCell,
  latencyCell,
  nameOf,
  quickPlan,
  type Plan,
} from './plan.ts';

/** Returns the least time that one round takes with so many subjects. */
const roundMsOf = ({ cells }: Plan, subjects: number) =>
  subjects * cells.reduce((sum, { closedMs, openMs }) => sum + closedMs + openMs, 0);

describe('the plan', () => {
  test('holds in full every body, concurrency, mode and delay with every other, and long streams, once', () => {
    equal(new Set(fullPlan.cells.map(nameOf)).size, 3 * 3 * 2 * 2 + 1);
    equal(fullPlan.cells.length, 37);
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

  test('leaves a third of its time for what is not measuring, and ends when it says', () => {
    const subjectsOf = [
      [fullPlan, 5],
      [quickPlan, 5],
      [guardPlan, 3],
    ] as const;
    for (const [plan, subjects] of subjectsOf)
      ok(roundMsOf(plan, subjects) * plan.rounds <= (plan.budgetMs * 2) / 3);
    ok(fullPlan.budgetMs <= 16 * 60_000);
    ok(quickPlan.budgetMs <= 270_000);
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
