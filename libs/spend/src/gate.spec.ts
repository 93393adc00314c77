import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import type { Principal } from '@sluice/inference';
import { describe, test } from 'vitest';
import { createSpendGate, type Hold, type SpendGate, type Standing } from './index.ts';

const noon = new Date('2026-11-20T12:00:00.000Z');
const later = (ms: number) => new Date(noon.getTime() + ms);
const dayMs = 86_400_000;
const zero = { lifetime: 0n, daily: 0n, weekly: 0n, monthly: 0n };

const principal = (more: Partial<Principal> = {}): Principal => ({
  accountId: 'account',
  workspaceId: 'workspace',
  keyHash: 'key',
  limitNanoUsd: null,
  limitReset: null,
  includeByokInLimit: false,
  ...more,
});

const standing = (more: Partial<Standing> = {}): Standing => ({
  accountId: 'account',
  keyHash: 'key',
  at: noon,
  creditsNanoUsd: 100n,
  usageNanoUsd: 0n,
  keyUsage: zero,
  keyByokUsage: zero,
  watermarks: new Map([[1n, 0n]]),
  ...more,
});

const gateWith = (more: Partial<Standing> = {}): SpendGate => {
  const gate = createSpendGate();
  gate.applyStanding(standing(more));
  return gate;
};

function held(gate: SpendGate, amount: bigint, who = principal(), at = noon): Hold {
  const hold = gate.hold(who, amount, at);
  ok(!isRejection(hold), 'expected to be admitted');
  return hold;
}

function refused(gate: SpendGate, amount: bigint, who = principal(), at = noon) {
  const refusal = gate.hold(who, amount, at);
  ok(isRejection(refusal), 'expected to be refused');
  return refusal;
}

describe('credits', () => {
  test('admit up to the last nano-dollar and not one more', () => {
    const gate = gateWith();
    held(gate, 100n);
    deepEqual(refused(gate, 1n), {
      rejected: 'credits_exhausted',
      message: 'Insufficient credits',
      metadata: { reason: 'credits_exhausted' },
    });
  });

  test('come back when a hold is released, and the unused part when it is settled', () => {
    const gate = gateWith();
    gate.release(held(gate, 100n));
    gate.settle(held(gate, 100n), 30n, { epoch: 1n, sequence: 1n });
    equal(gate.affordableNanoUsd(principal(), noon), 70n);
  });

  test('refuse even what is free when the balance is negative', () => {
    const gate = gateWith({ usageNanoUsd: 101n });
    equal(refused(gate, 0n).rejected, 'credits_exhausted');
    equal(gate.affordableNanoUsd(principal(), noon), 0n);
  });

  test('are shared by the keys of an account, and apart for others', () => {
    const gate = gateWith();
    const other = principal({ keyHash: 'other' });
    gate.applyStanding(standing({ keyHash: 'other' }));
    gate.applyStanding(standing({ accountId: 'stranger', keyHash: 'strange' }));
    held(gate, 60n);
    equal(refused(gate, 60n, other).rejected, 'credits_exhausted');
    held(gate, 60n, principal({ accountId: 'stranger', keyHash: 'strange' }));
  });
});

describe('a key limit', () => {
  const capped = principal({ limitNanoUsd: 10n, limitReset: 'daily' });

  test('names itself and its reset when it refuses', () => {
    const gate = gateWith();
    held(gate, 10n, capped);
    deepEqual(refused(gate, 1n, capped), {
      rejected: 'key_limit_exceeded',
      message: 'Key limit exceeded',
      metadata: {
        reason: 'key_limit_exceeded',
        scope: 'key',
        limit_usd: 1e-8,
        interval: 'daily',
        resets_at: '2026-11-21T00:00:00.000Z',
      },
    });
  });

  test('without interval has no reset', () => {
    const lifetime = principal({ limitNanoUsd: 0n });
    const { metadata } = refused(gateWith(), 1n, lifetime);
    deepEqual(metadata, {
      reason: 'key_limit_exceeded',
      scope: 'key',
      limit_usd: 0,
      interval: null,
    });
  });

  test('takes nothing from the credits when it refuses', () => {
    const gate = gateWith();
    refused(gate, 11n, capped);
    equal(gate.affordableNanoUsd(principal(), noon), 100n);
  });

  test('counts what the ledger counted in the window of the moment', () => {
    const gate = gateWith({ keyUsage: { lifetime: 99n, daily: 8n, weekly: 9n, monthly: 9n } });
    equal(gate.affordableNanoUsd(capped, noon), 2n);
    equal(gate.affordableNanoUsd(capped, later(dayMs)), 10n);
    const weekly = principal({ limitNanoUsd: 10n, limitReset: 'weekly' });
    equal(gate.affordableNanoUsd(weekly, later(dayMs)), 1n);
  });

  test('charges the window in which the hold was taken, however late it is settled', () => {
    const gate = gateWith();
    const hold = held(gate, 10n, capped, new Date('2026-11-20T23:59:59.999Z'));
    equal(gate.affordableNanoUsd(capped, later(dayMs)), 10n);
    gate.settle(hold, 10n, { epoch: 1n, sequence: 1n });
    equal(gate.affordableNanoUsd(capped, later(dayMs)), 10n);
    equal(gate.affordableNanoUsd(capped, noon), 0n);
  });

  test('is not opened again by a clock that steps back', () => {
    const gate = gateWith({ keyUsage: { ...zero, lifetime: 10n, daily: 10n } });
    equal(refused(gate, 1n, capped, later(-2 * dayMs)).rejected, 'key_limit_exceeded');
  });

  test('counts usage of own credentials only when the key says so', () => {
    const gate = gateWith({ keyByokUsage: { ...zero, daily: 9n } });
    equal(gate.affordableNanoUsd(capped, noon), 10n);
    equal(gate.affordableNanoUsd({ ...capped, includeByokInLimit: true }, noon), 1n);
  });

  test('takes effect as soon as it is lowered', () => {
    const gate = gateWith();
    held(gate, 5n, capped);
    equal(refused(gate, 1n, { ...capped, limitNanoUsd: 5n }).rejected, 'key_limit_exceeded');
  });
});

describe('a standing', () => {
  test('takes the place of exactly those finals that it contains', () => {
    const gate = gateWith();
    for (const sequence of [1n, 2n, 3n]) gate.settle(held(gate, 10n), 10n, { epoch: 1n, sequence });
    equal(gate.affordableNanoUsd(principal(), noon), 70n);
    gate.applyStanding(
      standing({ at: later(1), usageNanoUsd: 20n, watermarks: new Map([[1n, 2n]]) }),
    );
    equal(gate.affordableNanoUsd(principal(), noon), 70n);
  });

  test('that is older or comes twice changes nothing', () => {
    const gate = gateWith();
    gate.settle(held(gate, 10n), 10n, { epoch: 1n, sequence: 1n });
    const old = standing({ at: later(5) });
    const fresh = standing({
      at: later(3),
      usageNanoUsd: 10n,
      watermarks: new Map([[1n, 1n]]),
    });
    for (const snapshot of [fresh, old, fresh, old]) gate.applyStanding(snapshot);
    equal(gate.affordableNanoUsd(principal(), noon), 90n);
  });

  test('brings new credits without a new watermark', () => {
    const gate = gateWith();
    gate.applyStanding(standing({ at: later(1), creditsNanoUsd: 300n }));
    equal(gate.affordableNanoUsd(principal(), noon), 300n);
    gate.applyStanding(standing({ at: noon }));
    equal(gate.affordableNanoUsd(principal(), noon), 300n);
  });

  test('of another key leaves the finals of this key where they are', () => {
    const capped = principal({ limitNanoUsd: 10n });
    const gate = gateWith();
    gate.settle(held(gate, 10n, capped), 10n, { epoch: 1n, sequence: 1n });
    gate.applyStanding(
      standing({
        keyHash: 'other',
        at: later(1),
        usageNanoUsd: 10n,
        watermarks: new Map([[1n, 1n]]),
      }),
    );
    equal(gate.affordableNanoUsd(capped, noon), 0n);
    equal(gate.affordableNanoUsd(principal(), noon), 90n);
  });

  test('must be there before anything is admitted', () => {
    const gate = createSpendGate();
    equal(gate.knownSince(principal()), undefined);
    throws(() => gate.hold(principal(), 1n, noon), /before the ledger has told/);
  });
});

describe('finals of an earlier run', () => {
  test('count until the watermark of their epoch has passed them', () => {
    const gate = createSpendGate();
    const final = { accountId: 'account', keyHash: 'key', at: noon, costNanoUsd: 40n };
    gate.restore({ ...final, epoch: 1n, sequence: 7n });
    gate.applyStanding(standing({ watermarks: new Map([[2n, 0n]]) }));
    equal(gate.affordableNanoUsd(principal(), noon), 60n);
    const counted = new Map([
      [1n, 7n],
      [2n, 0n],
    ]);
    gate.applyStanding(standing({ at: later(1), usageNanoUsd: 40n, watermarks: counted }));
    equal(gate.affordableNanoUsd(principal(), noon), 60n);
  });
});

describe('a hold', () => {
  test('is closed once', () => {
    const gate = gateWith();
    const hold = held(gate, 1n);
    gate.release(hold);
    throws(() => gate.release(hold), /once/);
    throws(() => gate.settle(hold, 1n, { epoch: 1n, sequence: 1n }), /once/);
  });

  test('keeps its account from being forgotten', () => {
    const gate = gateWith();
    const hold = held(gate, 1n);
    gate.forgetIdle(later(1), new Map());
    equal(gate.affordableNanoUsd(principal(), noon), 99n);
    gate.release(hold);
    gate.forgetIdle(later(-1), new Map());
    equal(gate.affordableNanoUsd(principal(), noon), 100n);
    gate.forgetIdle(later(1), new Map());
    equal(gate.knownSince(principal()), undefined);
  });

  test('that became a final is remembered until the ledger has counted it', () => {
    const gate = gateWith();
    gate.settle(held(gate, 1n), 1n, { epoch: 1n, sequence: 4n });
    gate.forgetIdle(later(1), new Map([[1n, 3n]]));
    equal(gate.affordableNanoUsd(principal(), noon), 99n);
    gate.forgetIdle(later(1), new Map([[1n, 4n]]));
    equal(gate.knownSince(principal()), undefined);
  });
});
