import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact, aFailure } from '@sluice/usage-facts/testing';
import { correctionOf, writeOff } from '../usage/correction.ts';
import {
  correctionTransfers,
  creditTransfers,
  type Transfer,
  usageTransfers,
} from './transfers.ts';

const credit = (entryKind: string, amountNanoUsd: bigint) => {
  const occurredAt = '2026-11-18T12:00:00.000Z';
  return { creditId: 'c-1', accountId: 'acct_1', entryKind, amountNanoUsd, occurredAt };
};
/** Returns the amount that is in a book afterwards. */
const inBook = (transfers: readonly Transfer[], book: string) =>
  transfers.reduce(
    (sum, { from, to, amountNanoUsd }) =>
      sum + (to === book ? amountNanoUsd : 0n) - (from === book ? amountNanoUsd : 0n),
    0n,
  );

describe('the transfers of a fact', () => {
  for (const isByok of [false, true])
    test(`are one, from the customer to what it was spent as (is_byok ${isByok})`, () => {
      const transfers = usageTransfers(aFact({ costNanoUsd: 7n, isByok }));
      deepEqual(
        transfers.map(({ line, from, to, amountNanoUsd }) => [line, from, to, amountNanoUsd]),
        [isByok ? [1, 'byok', 'byok_usage', 7n] : [1, 'credits', 'revenue', 7n]],
      );
    });

  test('are none when it costs nothing', () =>
    deepEqual(usageTransfers(aFact({ costNanoUsd: 0n })), []));
});

describe('the transfers of an attempt that failed', () => {
  const failure = aFailure();
  const truth = { ...failure, costNanoUsd: 4_100n };
  const books = (transfers: readonly Transfer[]) =>
    ['credits', 'suspense', 'operator', 'operator_usage'].map((book) => inBook(transfers, book));

  test('move nothing of the customer: the operator pays, and the rest is in suspense', () => {
    deepEqual(books(usageTransfers(failure)), [0n, 9_000n, -10_000n, 1_000n]);
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
    const transfers = [...usageTransfers(failure), ...correctionTransfers(correction)];
    deepEqual(books(transfers), [0n, 0n, -servedNanoUsd, servedNanoUsd]);
    equal(correction.costNanoUsd, 0n);
  });

  test('with a credential of the account are none', () => {
    const own = aFailure({ isByok: true, operatorSuspendedNanoUsd: 0n });
    deepEqual(usageTransfers(own), []);
  });
});

describe('the transfers of a credit', () => {
  for (const [kind, amount] of [
    ['purchase', 5n],
    ['refund', -3n],
  ] as const)
    test(`move a ${kind} between funding and the credits`, () => {
      const transfers = creditTransfers(credit(kind, amount));
      deepEqual([inBook(transfers, 'credits'), inBook(transfers, 'funding')], [amount, -amount]);
    });
});
