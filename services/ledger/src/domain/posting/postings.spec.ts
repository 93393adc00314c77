import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact, aFailure } from '@sluice/usage-facts/testing';
import { correctionOf, writeOff } from '../usage/correction.ts';
import { correctionPostings, creditPostings, type Posting, usagePostings } from './postings.ts';

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

describe('the postings of an attempt that failed', () => {
  const failure = aFailure();
  const truth = { ...failure, costNanoUsd: 4_100n };
  const books = (postings: readonly Posting[]) =>
    (['credits', 'suspense', 'clearing', 'operator', 'operator_usage'] as const).map((book) =>
      sum(postings, book),
    );

  test('move nothing of the customer: the operator pays, and the rest is in suspense', () => {
    const postings = usagePostings(failure);
    equal(sum(postings), 0n);
    deepEqual(books(postings), [0n, 9_000n, 0n, -10_000n, 1_000n]);
  });

  test.each([
    ['a receipt that says more', correctionOf(failure, truth, 'receipt'), 4_100n],
    [
      'a receipt that says less',
      correctionOf(failure, { ...truth, costNanoUsd: 10n }, 'receipt'),
      10n,
    ],
    ['a receipt of nothing', correctionOf(failure, { ...truth, costNanoUsd: 0n }, 'receipt'), 0n],
    ['a write-off', writeOff(failure), 1_000n],
  ] as const)('leave what was served to the operator after %s', (_, correction, servedNanoUsd) => {
    const postings = [...usagePostings(failure), ...correctionPostings(correction)];
    equal(sum(postings), 0n);
    deepEqual(books(postings), [0n, 0n, 0n, -servedNanoUsd, servedNanoUsd]);
    equal(correction.costNanoUsd, 0n);
  });

  test('with a credential of the account are none', () => {
    const own = aFailure({ isByok: true, operatorSuspendedNanoUsd: 0n });
    deepEqual(usagePostings(own), []);
  });
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
