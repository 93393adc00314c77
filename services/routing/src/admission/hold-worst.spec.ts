import { deepEqual, equal, ok } from 'node:assert/strict';
import { systemClock } from '@sluice/clock-and-ids';
import { amountAt, type Budget, createSpending, Shortage } from '@sluice/spend';
import { InMemoryAuthority } from '@sluice/spend/testing';
import { createTelemetry } from '@sluice/telemetry';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { byokChargeOf } from '../byok/byok-charge.ts';
import { amountsOf, type Budgets, holdWorst, type WorstCase } from './hold-worst.ts';
import { withFreeRequests } from './free-requests.ts';
import { costsOf, termsOf } from './split-hold.ts';

const { metrics } = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
const account: Budget = {
  accountId: 'account',
  scopeKind: 'account',
  scopeId: 'account',
  interval: null,
  limitNanoUsd: undefined,
  includeByok: false,
};
const key = (includeByok: boolean, limitNanoUsd: bigint): Budget => ({
  ...account,
  scopeKind: 'key',
  scopeId: 'key',
  limitNanoUsd,
  includeByok,
});

interface Limits {
  readonly credits: bigint;
  readonly allowance: bigint;
  /** The limit of a key with the flag. undefined: there is none. */
  readonly flagged?: bigint;
  readonly plain?: bigint;
}

function setUp({ credits, allowance, flagged, plain }: Limits) {
  const all = [account];
  if (flagged !== undefined) all.push(key(true, flagged));
  if (plain !== undefined) all.push(key(false, plain));
  const terms = { allowanceNanoUsd: allowance, feeBasisPoints: 500 };
  const budgets: Budgets = { accountId: 'account', all, terms };
  const rules = new InMemoryAuthority({
    limitNanoUsd: ({ scopeKind }) =>
      scopeKind === 'account' ? credits : scopeKind === 'allowance' ? allowance : undefined,
    settledNanoUsd: () => 0n,
  });
  const authority = { acquire: async (requests: never) => rules.acquire('a', 1n, requests) };
  const spending = createSpending({ authority, nowMs: () => performance.now() });
  const spender = { spending, clock: systemClock, metrics };
  return { budgets, spending, hold: (worst: WorstCase) => holdWorst(spender, budgets, worst) };
}

/** Returns the free part of a hold, or the budget that refused. */
async function freeOr(limits: Limits, worst: WorstCase): Promise<bigint | string> {
  const held = await setUp(limits).hold(worst);
  return held instanceof Shortage ? held.lease.budget.scopeKind : held.freeNanoUsd;
}
const own = (listNanoUsd: bigint, sharedNanoUsd = 0n): WorstCase => ({
  sharedNanoUsd,
  listNanoUsd,
  freeRequests: 0n,
});

describe('an own credential', () => {
  test('is free as far as the allowance goes, and credits have to have the fee on the rest', async () => {
    equal(await freeOr({ credits: 0n, allowance: 1_000n }, own(1_000n)), 1_000n);
    equal(await freeOr({ credits: 5n, allowance: 900n }, own(1_000n)), 900n);
    equal(await freeOr({ credits: 4n, allowance: 900n }, own(1_000n)), 'account');
    equal(await freeOr({ credits: 50n, allowance: 0n }, own(1_000n)), 0n);
    equal(await freeOr({ credits: 49n, allowance: 0n }, own(1_000n)), 'account');
  });

  test('is capped at its list price where the flag says so, and at its fee elsewhere', async () => {
    const limits = { credits: 1_000n, allowance: 1_000n };
    equal(await freeOr({ ...limits, flagged: 1_000n }, own(1_000n)), 1_000n);
    equal(await freeOr({ ...limits, flagged: 999n }, own(1_000n)), 'key');
    equal(await freeOr({ ...limits, plain: 0n }, own(1_000n)), 1_000n);
    equal(await freeOr({ credits: 1_000n, allowance: 0n, plain: 49n }, own(1_000n)), 'key');
  });

  test('beside a shared endpoint needs the larger of both of each budget', async () => {
    const limits = { credits: 800n, allowance: 1_000n };
    equal(await freeOr(limits, own(1_000n, 800n)), 1_000n);
    equal(await freeOr(limits, own(1_000n, 801n)), 'account');
  });

  test('gets back what is free as soon as it is, and no sooner', async () => {
    const { hold, spending } = setUp({ credits: 100n, allowance: 1_000n });
    const first = await hold(own(1_000n));
    ok(!(first instanceof Shortage));
    const second = await hold(own(1_000n));
    ok(!(second instanceof Shortage));
    deepEqual([first.freeNanoUsd, second.freeNanoUsd], [1_000n, 0n]);
    spending.release(first.hold);
    const third = await hold(own(1_000n));
    ok(!(third instanceof Shortage));
    equal(third.freeNanoUsd, 1_000n);
  });
});

test('whichever attempt answers, and whatever it costs within its hold, no budget pays more than it held', () => {
  const amount = fc.bigInt({ min: 0n, max: 10_000n });
  fc.assert(
    fc.property(
      fc.tuple(amount, amount, amount, amount),
      fc.array(fc.boolean(), { maxLength: 4 }),
      fc.nat({ max: 10_000 }),
      fc.record({ isOwn: fc.boolean(), isFree: fc.boolean(), isFreeToo: fc.boolean() }),
      ([sharedNanoUsd, listNanoUsd, freeWanted, served], flags, feeBasisPoints, called) => {
        const all = [account, ...flags.map((flag) => key(flag, 1n))];
        const freeNanoUsd = freeWanted < listNanoUsd ? freeWanted : listNanoUsd;
        const terms = { allowanceNanoUsd: 1n, feeBasisPoints };
        const worst = {
          sharedNanoUsd,
          listNanoUsd,
          freeRequests: called.isFree || called.isFreeToo ? 1n : 0n,
        };
        const { budgets, amounts } = withFreeRequests('account', worst.freeRequests, {
          budgets: freeNanoUsd > 0n ? [...all, account] : all,
          amounts: amountsOf({ accountId: 'account', all, terms }, worst, freeNanoUsd),
        });
        const requests = worst.freeRequests > 0n ? [101n, 102n] : [];
        const leaseNumbers = all.map((_budget, index) => BigInt(index + 1));
        const allowance = freeNanoUsd > 0n ? [BigInt(all.length + 1)] : [];
        const held = {
          ...worst,
          hold: {
            amountNanoUsd: 0n,
            at: new Date(0),
            leaseNumbers: [...requests, ...leaseNumbers, ...allowance],
          },
          freeRequestLeaseNumbers: requests,
          moneyLeaseNumbers: [...leaseNumbers, ...allowance],
          freeNanoUsd,
          feeBasisPoints,
          listLeaseNumbers: leaseNumbers.filter((_number, index) => all[index]?.includeByok),
          feeLeaseNumbers: leaseNumbers.filter((_number, index) => !all[index]?.includeByok),
          allowanceLeaseNumber: allowance[0] ?? 0n,
        };
        const split = termsOf(held, {
          model: { id: called.isFree ? 'a/b:free' : 'a/b' },
          credential: called.isOwn ? { id: 'credential' } : undefined,
        });
        equal(split.freeRequestLeaseNumbers?.length, called.isFree && !called.isOwn ? 2 : 0);
        equal(budgets.length, held.hold.leaseNumbers.length);
        const most = split.holdNanoUsd ?? 0n;
        const costNanoUsd = served < most ? served : most;
        const charge = {
          costNanoUsd,
          suspendedNanoUsd: 0n,
          freeRequestLeaseNumbers: [...(split.freeRequestLeaseNumbers ?? [])],
          ...byokChargeOf(split.byok, costNanoUsd),
        };
        const costs = costsOf(held, charge);
        for (let index = 0; index < held.hold.leaseNumbers.length; index++)
          ok(amountAt(costs, index) <= amountAt(amounts, index), `budget ${index}`);
      },
    ),
  );
});
