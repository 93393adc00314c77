import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aByokFact, aFact } from '@sluice/usage-facts/testing';
import { leasePayments } from '../lease/lease-payments.ts';
import { usageTransfers } from '../transfer/transfers.ts';
import { tally } from './tally.ts';
import { type UsageFact, usageProblem } from '@sluice/usage-facts';

const leased = {
  leaseEpoch: 1n,
  leaseNumbers: [1n, 2n],
  feeLeaseNumbers: [3n],
  allowanceLeaseNumber: 4n,
};

describe('a fact of an own credential', () => {
  test('is paid by each lease as far as its budget counts it', () => {
    deepEqual(
      leasePayments([aByokFact(leased)]).map(({ number, amountNanoUsd }) => [
        number,
        amountNanoUsd,
      ]),
      [
        [1n, 1_030n],
        [2n, 1_030n],
        [3n, 30n],
        [4n, 400n],
      ],
    );
  });

  test('moves credits by its fee alone', () => {
    deepEqual(
      usageTransfers(aByokFact()).map(({ from, to, amountNanoUsd }) => [from, to, amountNanoUsd]),
      [
        ['byok', 'byok_usage', 1_000n],
        ['credits', 'revenue', 30n],
      ],
    );
  });

  test('counts its fee as credits, its list price as BYOK, and what is free for the month', () => {
    const counted = tally([aByokFact(), aByokFact({ feeNanoUsd: 0n, freeNanoUsd: 0n })]).map(
      (one) => [
        `${one.scopeKind} ${one.windowKind} ${one.windowStart.toISOString().slice(0, 10)}`,
        one.creditsNanoUsd,
        one.byokNanoUsd,
      ],
    );
    deepEqual(
      counted.filter(([name]) => /^(?:allowance|account|key lifetime)/.test(String(name))),
      [
        ['account lifetime 1970-01-01', 30n, 2_000n],
        ['allowance monthly 2026-11-01', 0n, 400n],
        ['key lifetime 1970-01-01', 30n, 2_000n],
      ],
    );
  });

  test.for<[string, Partial<UsageFact>]>([
    ['more is free than it costs', { freeNanoUsd: 1_001n, feeNanoUsd: 0n }],
    ['the fee is above what it is taken of', { freeNanoUsd: 990n, feeNanoUsd: 11n }],
    ['the fee or what is free is negative', { feeNanoUsd: -1n }],
    ['credential_id is malformed', { credentialId: 'sk-live_secret key' }],
    ['lease_epoch or lease_numbers are malformed', { ...leased, feeLeaseNumbers: [2n] }],
    ['a fee without a credential of the account', { isByok: false }],
  ])('is not counted when %s', ([problem, changes]) => {
    equal(usageProblem(aByokFact(changes)), problem);
  });

  test('may be one, and of the platform one says nothing of it', () => {
    equal(usageProblem(aByokFact(leased)), undefined);
    equal(usageProblem(aFact()), undefined);
  });
});
