import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type Budget, createSpending, Shortage } from './index.ts';
import { InMemoryAuthority } from './testing.ts';

const at = new Date('2026-11-20T12:00:00.000Z');
const credits: Budget = {
  accountId: 'account',
  scopeKind: 'account',
  scopeId: 'account',
  interval: null,
  limitNanoUsd: undefined,
  includeByok: false,
};
const allowance: Budget = { ...credits, scopeKind: 'allowance', interval: 'monthly' };
const both = [credits, allowance];

function setUp(limits: { readonly account: bigint; readonly allowance: bigint }) {
  let nowMs = at.getTime();
  let calls = 0;
  const rules = new InMemoryAuthority({
    limitNanoUsd: ({ scopeKind }) => (scopeKind === 'account' ? limits.account : limits.allowance),
    settledNanoUsd: () => 0n,
  });
  const spending = createSpending({
    nowMs: () => nowMs,
    authority: {
      async acquire(requests) {
        calls += 1;
        return rules.acquire('a', 1n, requests);
      },
    },
  });
  const admit = async (amounts: readonly bigint[]) => {
    await spending.ask(both, amounts, at);
    return spending.hold(both, amounts, at);
  };
  return { spending, admit, calls: () => calls, pass: (ms: number) => void (nowMs += ms) };
}

describe('a hold of another amount of each budget', () => {
  test('takes from each its own, and at its end each pays its own', async () => {
    const { spending, admit } = setUp({ account: 10n, allowance: 1_000n });
    const hold = await admit([10n, 1_000n]);
    ok(!(hold instanceof Shortage));
    equal(hold.amountNanoUsd, 1_000n);
    equal(hold.leaseNumbers.length, 2);
    const left = () => both.map((budget) => spending.affordableNanoUsd([budget], at));
    deepEqual(left(), [0n, 0n]);
    spending.settle(hold, [3n, 400n]);
    deepEqual(left(), [7n, 600n]);
  });

  test('is refused by the one that is short, whatever the others have', async () => {
    const { admit } = setUp({ account: 10n, allowance: 1_000n });
    for (const [amounts, scope] of [
      [[11n, 1n], 'account'],
      [[1n, 1_001n], 'allowance'],
    ] as const) {
      const shortage = await admit(amounts);
      ok(shortage instanceof Shortage);
      equal(shortage.lease.budget.scopeKind, scope);
    }
  });

  test('that is released leaves all of them as they were', async () => {
    const { spending, admit } = setUp({ account: 10n, allowance: 1_000n });
    const hold = await admit([10n, 1_000n]);
    ok(!(hold instanceof Shortage));
    spending.release(hold);
    ok(!((await admit([10n, 1_000n])) instanceof Shortage));
  });
});

describe('an allowance', () => {
  test('is used up when the authority said so, until that is no news any more', async () => {
    const { spending, admit, pass } = setUp({ account: 10n, allowance: 5n });
    equal(spending.isUsedUp(allowance, at), false);
    ok((await admit([0n, 6n])) instanceof Shortage);
    equal(spending.isUsedUp(allowance, at), true);
    equal(spending.affordableNanoUsd([allowance], at), 5n);
    pass(5_001);
    equal(spending.isUsedUp(allowance, at), false);
  });
});
