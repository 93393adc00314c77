import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type CreditEntry, creditProblem } from './credit-entry.ts';

const entry = (changes: Partial<CreditEntry> = {}): CreditEntry => ({
  creditId: '4c9c5f6e-0d57-5d7c-9d0e-0a4f3a2b1c0d',
  accountId: 'acct_1',
  entryKind: 'purchase',
  amountNanoUsd: 10_000_000_000n,
  occurredAt: '2026-11-18T12:00:00.000Z',
  ...changes,
});

describe('a credit entry', () => {
  test('is counted when it is whole', () => {
    equal(creditProblem(entry()), undefined);
    equal(creditProblem(entry({ entryKind: 'grant' })), undefined);
    equal(creditProblem(entry({ amountNanoUsd: 10n ** 18n })), undefined);
    equal(creditProblem(entry({ entryKind: 'refund', amountNanoUsd: -1n })), undefined);
  });

  test.each<[string, Partial<CreditEntry>]>([
    ['no id', { creditId: '' }],
    ['no account', { accountId: '' }],
    ['a purchase of nothing', { amountNanoUsd: 0n }],
    ['a negative grant', { entryKind: 'grant', amountNanoUsd: -1n }],
    ['a refund that adds', { entryKind: 'refund', amountNanoUsd: 1n }],
    ['an absurd amount', { amountNanoUsd: 10n ** 18n + 1n }],
    ['an unknown kind', { entryKind: 'gift' }],
    ['a kind that every object has', { entryKind: 'constructor' }],
    ['no instant', { occurredAt: 'yesterday' }],
  ])('is not counted with %s', (_case, changes) => {
    equal(typeof creditProblem(entry(changes)), 'string');
  });
});
