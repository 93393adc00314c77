import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact } from '../../testing/a-fact.ts';
import { creditPostings, type Posting, usagePostings } from './postings.ts';

const credit = (entryKind: string, amountNanoUsd: bigint) => {
  const occurredAt = '2026-11-18T12:00:00.000Z';
  return { creditId: 'c-1', accountId: 'acct_1', entryKind, amountNanoUsd, occurredAt };
};
const sum = (postings: readonly Posting[], book?: string) =>
  postings
    .filter((posting) => book === undefined || posting.book === book)
    .reduce((total, { amountNanoUsd }) => total + amountNanoUsd, 0n);

describe('the postings of a fact', () => {
  for (const isByok of [false, true])
    test(`sum to 0 and leave nothing in clearing (is_byok ${isByok})`, () => {
      const postings = usagePostings(aFact({ costNanoUsd: 7n, isByok }));
      equal(sum(postings), 0n);
      equal(sum(postings, 'clearing'), 0n);
      equal(sum(postings, 'credits'), isByok ? 0n : -7n);
      equal(sum(postings, 'revenue'), isByok ? 0n : 7n);
      equal(sum(postings, 'byok_usage'), isByok ? 7n : 0n);
      deepEqual(
        postings.map(({ line }) => line),
        [1, 2, 3, 4],
      );
    });

  test('are none when it costs nothing', () =>
    deepEqual(usagePostings(aFact({ costNanoUsd: 0n })), []));
});

describe('the postings of a credit', () => {
  for (const [kind, amount] of [
    ['purchase', 5n],
    ['refund', -3n],
  ] as const)
    test(`move a ${kind} between funding and the credits`, () => {
      const postings = creditPostings(credit(kind, amount));
      equal(sum(postings), 0n);
      equal(sum(postings, 'credits'), amount);
      equal(sum(postings, 'funding'), -amount);
    });
});
