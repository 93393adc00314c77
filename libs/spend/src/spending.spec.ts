import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict';
import { beforeEach, describe, test } from 'vitest';
import { type Budget, createSpending, type Hold, refusalOf, Shortage } from './index.ts';
import { InMemoryAuthority } from './testing.ts';

const noon = new Date('2026-11-20T12:00:00.000Z');
const dayMs = 86_400_000;

const credits: Budget = {
  accountId: 'account',
  scopeKind: 'account',
  scopeId: 'account',
  interval: null,
  limitNanoUsd: undefined,
  includeByok: false,
};
const daily = (limitNanoUsd: bigint): Budget => ({
  ...credits,
  scopeKind: 'key',
  scopeId: 'key',
  interval: 'daily',
  limitNanoUsd,
});

function setUp() {
  let nowMs = noon.getTime();
  const world = {
    credits: 100n,
    keyLimit: undefined as bigint | undefined,
    settled: 0n,
    calls: 0,
    isUp: true,
    answersArrive: true,
  };
  const rules = new InMemoryAuthority({
    limitNanoUsd: ({ scopeKind }) => (scopeKind === 'account' ? world.credits : world.keyLimit),
    settledNanoUsd: ({ scopeKind }) => (scopeKind === 'account' ? world.settled : 0n),
  });
  const replica = (id: string) =>
    createSpending({
      nowMs: () => nowMs,
      authority: {
        acquire: async (requests) => {
          world.calls += 1;
          if (!world.isUp) throw new Error('away');
          const answer = rules.acquire(id, 1n, requests);
          if (!world.answersArrive) throw new Error('lost');
          return answer;
        },
      },
    });
  const at = () => new Date(nowMs);
  const spending = replica('a');
  /** Admits as a request does: if the amount does not fit at once, it asks for more. */
  const admit = async (amount: bigint, budgets = [credits], by = spending) => {
    let hold = by.hold(budgets, amount, at());
    if (hold instanceof Shortage && (await by.ask(budgets, amount, at()), true))
      hold = by.hold(budgets, amount, at());
    return hold;
  };
  const admitted = async (amount: bigint, budgets = [credits], by = spending): Promise<Hold> => {
    const hold = await admit(amount, budgets, by);
    ok(!(hold instanceof Shortage), 'expected to be admitted');
    return hold;
  };
  const refused = async (amount: bigint, budgets = [credits], by = spending) => {
    const shortage = await admit(amount, budgets, by);
    ok(shortage instanceof Shortage, 'expected to be refused');
    return refusalOf(shortage, at());
  };
  return {
    world,
    rules,
    replica,
    spending,
    admitted,
    refused,
    at,
    pass: (ms: number) => void (nowMs += ms),
    leased: () =>
      rules.leasedNanoUsd({
        ...credits,
        windowKind: 'lifetime',
        windowStart: new Date(0).toISOString(),
      }),
  };
}

let w: ReturnType<typeof setUp>;
beforeEach(() => {
  w = setUp();
});

describe('a budget', () => {
  test('can be spent to the last nano-dollar and not one more', async () => {
    await w.admitted(100n);
    deepEqual(await w.refused(1n), {
      rejected: 'credits_exhausted',
      message:
        'Insufficient credits: $0 is left, $0.0000001 more is held by running requests, ' +
        'and this request needs up to $0.000000001',
      metadata: {
        reason: 'credits_exhausted',
        left_usd: 0,
        held_usd: 1e-7,
        needed_usd: 1e-9,
      },
      retryAfterSeconds: 1,
    });
  });

  test('has back what was released, and what a hold did not cost', async () => {
    w.spending.release(await w.admitted(100n));
    w.spending.settle(await w.admitted(100n), 30n);
    await w.admitted(70n);
    await w.refused(1n);
  });

  test('that is overdrawn refuses even what is free', async () => {
    w.world.settled = 101n;
    equal((await w.refused(0n)).rejected, 'credits_exhausted');
  });

  test('of nothing admits what is free', async () => {
    w.world.credits = 0n;
    await w.admitted(0n);
    await w.refused(1n);
  });

  test('admits what is free on no older answer than of five seconds ago', async () => {
    w.world.credits = 0n;
    await w.admitted(0n);
    w.world.settled = 1n;
    await w.admitted(0n);
    w.pass(5_001);
    await w.refused(0n);
  });

  test('is one of several, all or nothing; the first of them that is short refuses', async () => {
    const both = [credits, daily(10n)];
    await w.admitted(10n, both);
    deepEqual(await w.refused(1n, both), {
      rejected: 'key_limit_exceeded',
      message:
        'Key limit of $0.00000001: $0 is left, $0.00000001 more is held by running requests, ' +
        'and this request needs up to $0.000000001',
      metadata: {
        reason: 'key_limit_exceeded',
        scope: 'key',
        limit_usd: 1e-8,
        interval: 'daily',
        resets_at: '2026-11-21T00:00:00.000Z',
        left_usd: 0,
        held_usd: 1e-8,
        needed_usd: 1e-9,
      },
      retryAfterSeconds: 1,
    });
    await w.admitted(90n);
    equal((await w.refused(1n, both)).rejected, 'credits_exhausted');
  });

  test('that is used up refuses before one that is only short here', async () => {
    const both = [credits, daily(10n)];
    await w.admitted(10n, both);
    const shortage = w.spending.hold(both, 60n, w.at());
    ok(shortage instanceof Shortage);
    equal(shortage.lease.budget.scopeKind, 'key');
  });

  test('without interval has no reset', async () => {
    const { metadata } = await w.refused(1n, [credits, { ...daily(0n), interval: null }]);
    deepEqual(metadata, {
      reason: 'key_limit_exceeded',
      scope: 'key',
      limit_usd: 0,
      interval: null,
      left_usd: 0,
      held_usd: 0,
      needed_usd: 1e-9,
    });
  });

  test('of a new window is whole, and a hold counts where it was taken', async () => {
    const both = [credits, daily(10n)];
    const hold = await w.admitted(10n, both);
    w.pass(dayMs);
    await w.admitted(10n, both);
    w.spending.settle(hold, 1n);
    await w.refused(9n, both);
  });

  test('is ended once per hold', async () => {
    const hold = await w.admitted(1n);
    w.spending.release(hold);
    throws(() => w.spending.release(hold), /once/);
    throws(() => w.spending.settle(hold, 1n), /once/);
  });
});

describe('the authority', () => {
  test.each([
    ['is not asked by a thousand requests', 0n, 0],
    ['is asked beside a thousand requests only to make up for what they spent', 1n, 5],
  ])('%s that find enough: none of them waits', async (_case, cost, callsMax) => {
    w.world.credits = 10_000_000n;
    const budgets = [credits, daily(10_000_000n)];
    const holds: Hold[] = [];
    const take = async (hold: Hold | Promise<Hold>) => {
      holds.push(await hold);
      if (holds.length > 50) w.spending.settle(holds.shift() as Hold, cost);
      w.pass(1);
    };
    for (let count = 0; count < 500; count += 1) await take(w.admitted(100n, budgets));
    const { calls } = w.world;
    for (let count = 0; count < 1_000; count += 1) {
      const hold = w.spending.hold(budgets, 100n, w.at());
      ok(!(hold instanceof Shortage));
      await take(hold);
    }
    ok(w.world.calls - calls <= callsMax, String(w.world.calls - calls));
  });

  test('is asked once by many requests at one time', async () => {
    w.world.credits = 10_000n;
    await Promise.all(Array.from({ length: 100 }, () => w.admitted(10n)));
    ok(w.world.calls <= 5, String(w.world.calls));
  });

  test('is asked ahead when half of a lease is gone, beside the request', async () => {
    w.world.credits = 1_000_000n;
    const first = await w.admitted(10n);
    const { calls } = w.world;
    for (let count = 0; count < 5; count += 1) w.spending.hold([credits], 2n, w.at());
    await Promise.resolve();
    equal(w.world.calls, calls + 1);
    w.spending.release(first);
  });

  test('grants nothing ahead near a limit: another replica can have the rest', async () => {
    const other = w.replica('b');
    await w.admitted(40n);
    await w.admitted(40n, [credits], other);
    await w.admitted(20n);
    await w.refused(1n, [credits], other);
  });

  test('is not asked again by each refusal', async () => {
    await w.admitted(100n);
    const { calls } = w.world;
    for (let count = 0; count < 50; count += 1) await w.refused(1n);
    equal(w.world.calls, calls);
    w.pass(101);
    for (let count = 0; count < 50; count += 1) await w.refused(1n);
    equal(w.world.calls, calls + 1);
    w.world.credits = 200n;
    w.pass(101);
    await w.admitted(1n);
  });

  test('that is away keeps nobody out while the lease lasts, then everybody', async () => {
    w.world.credits = 10_000n;
    w.spending.settle(await w.admitted(10n), 10n);
    w.world.isUp = false;
    await w.admitted(10n);
    await rejects(w.admitted(10n), { code: 'unavailable', retryAfterSeconds: 1 });
    w.world.isUp = true;
    w.pass(250);
    await w.admitted(10n);
  });

  test('whose grant was not received has not granted twice', async () => {
    w.world.answersArrive = false;
    await rejects(w.admitted(60n), { code: 'unavailable' });
    equal(w.leased(), 60n);
    w.world.answersArrive = true;
    w.pass(250);
    await w.admitted(60n);
    equal(w.leased(), 60n);
  });

  test('gets back a grant that was not received, without another request', async () => {
    w.world.answersArrive = false;
    await rejects(w.admitted(60n), { code: 'unavailable' });
    w.world.answersArrive = true;
    w.pass(301_000);
    for (let round = 0; round < 3; round += 1) await w.spending.tend();
    equal(w.leased(), 0n);
  });
});

test('a raised limit that the authority has not received is no reason to wait for its news', async () => {
  const raised = { ...daily(0n), limitNanoUsd: 50n };
  w.world.keyLimit = 0n;
  await w.refused(10n, [credits, raised]);
  const shortage = w.spending.hold([credits, raised], 10n, w.at());
  ok(shortage instanceof Shortage && shortage.lease.isBehind);
  w.world.keyLimit = 50n;
  await w.admitted(10n, [credits, raised]);
  const full = w.spending.hold([credits, raised], 50n, w.at());
  ok(full instanceof Shortage && !full.lease.isBehind);
});

describe('a limit that is lowered', () => {
  test('takes back what is not held, as soon as that is told', async () => {
    w.world.credits = 10_000n;
    const hold = await w.admitted(100n);
    equal(w.leased(), 200n);
    w.world.credits = 150n;
    await w.spending.limitsChanged('account');
    equal(w.leased(), 150n);
    await w.admitted(50n);
    w.world.credits = 120n;
    await w.spending.limitsChanged('account');
    await w.refused(1n);
    w.spending.settle(hold, 60n);
    await w.admitted(10n);
    await w.refused(1n);
  });

  test('is noticed within five seconds when it is not told', async () => {
    w.world.credits = 10_000n;
    await w.admitted(100n);
    w.world.credits = 100n;
    for (let ms = 0; ms < 5_000; ms += 500) {
      w.pass(500);
      await w.spending.tend();
    }
    await w.refused(1n);
  });
});

describe('a rush', () => {
  test('of as many again as are held finds room, and waits for no answer', async () => {
    w.world.credits = 1_000_000n;
    await Promise.all(Array.from({ length: 50 }, () => w.admitted(100n)));
    // The background question has its answer by then.
    await w.spending.tend();
    w.world.isUp = false;
    const rush = Array.from({ length: 50 }, () => w.spending.hold([credits], 100n, w.at()));
    equal(rush.filter((hold) => hold instanceof Shortage).length, 0);
  });
});

describe('what is not needed any more', () => {
  test('goes back bit by bit, and all of it when the budget is idle', async () => {
    w.world.credits = 1_000_000n;
    const holds = await Promise.all(Array.from({ length: 100 }, () => w.admitted(100n)));
    for (const hold of holds) w.spending.settle(hold, 1n);
    ok(w.leased() >= 10_000n);
    await w.spending.tend();
    w.pass(61_000);
    await w.spending.tend();
    // Twice what was held at one time: as many may come again within five minutes.
    equal(w.leased(), 20_000n);
    w.pass(150_000);
    w.spending.settle(await w.admitted(100n), 1n);
    w.pass(150_000);
    await w.spending.tend();
    // The amount that was spent, as much as in the last minute of use for twenty, and two holds.
    equal(w.leased(), 321n);
    w.pass(301_000);
    await w.spending.tend();
    equal(w.leased(), 101n);
    await w.admitted(100n);
  });

  test('is closed when all of it is counted, and asked for anew', async () => {
    w.spending.settle(await w.admitted(10n), 10n);
    w.pass(301_000);
    await w.spending.tend();
    equal(w.leased(), 10n);
    w.rules.count({ replica: 'a', leaseEpoch: 1n, leaseNumbers: [1n], costNanoUsd: 10n });
    w.world.settled = 10n;
    w.pass(5_000);
    await w.spending.tend();
    await w.spending.tend();
    equal(w.leased(), 0n);
    deepEqual((await w.admitted(10n)).leaseNumbers, [2n]);
  });

  test('says how old the answer is that it goes by', async () => {
    await w.admitted(10n);
    w.pass(3_000);
    deepEqual(w.spending.leases, { count: 1, ageMsMax: 3_000 });
    await w.spending.limitsChanged('account');
    equal(w.spending.leases.ageMsMax, 0);
  });

  test('goes back at a stop, except what is held or spent', async () => {
    w.world.credits = 10_000n;
    await w.admitted(100n);
    w.spending.settle(await w.admitted(100n), 30n);
    await w.spending.stop();
    equal(w.leased(), 130n);
  });

  test('near a limit goes back in the next round, for others to have', async () => {
    const other = w.replica('b');
    const hold = await w.admitted(100n);
    w.spending.settle(hold, 10n);
    await w.refused(90n, [credits], other);
    await w.spending.tend();
    w.pass(101);
    await w.admitted(90n, [credits], other);
  });
});
