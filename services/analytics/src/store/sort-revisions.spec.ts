import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { type Revision, sortRevisions } from './sort-revisions.ts';

const row = (factId: string, revision: number, countedAtMs: number) => ({
  factId,
  revision,
  countedAtMs,
});
const sorted = (
  rows: readonly ReturnType<typeof row>[],
  stored: Readonly<Record<string, Revision>> = {},
) => {
  const { fresh, newer, sooner, past } = sortRevisions(rows, new Map(Object.entries(stored)));
  const shown = (some: typeof rows) => some.map((one) => `${one.factId}${one.revision}`);
  return [fresh, newer, sooner, past].map(shown);
};

test('a batch has each fact once, and the revisions that were known before', () => {
  deepEqual(sorted([row('a', 0, 10), row('a', 2, 20), row('a', 0, 30), row('b', 0, 5)]), [
    ['a2', 'b0'],
    [],
    [],
    ['a0'],
  ]);
});

test('a newer revision takes the place of the stored one, and an older one is kept if it was known first', () => {
  const stored = { revision: 1, countedAtMs: 50 };
  const batch = [row('a', 2, 60), row('b', 0, 40), row('c', 0, 60), row('d', 1, 50)];
  deepEqual(sorted(batch, { a: stored, b: stored, c: stored, d: stored }), [
    [],
    ['a2'],
    [],
    ['b0'],
  ]);
});

test('the time of the ledger counts where it is much earlier', () => {
  const stored = { revision: 0, countedAtMs: 20_000 };
  const batch = [row('a', 0, 9_999), row('b', 0, 10_000)];
  deepEqual(sorted(batch, { a: stored, b: stored }), [[], [], ['a0'], []]);
});
