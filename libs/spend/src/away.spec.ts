import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { type Budget, createSpending, Shortage } from './index.ts';
import { InMemoryAuthority } from './testing.ts';

const minuteMs = 60_000;
const at = Date.parse('2026-11-20T12:00:00.000Z');
const credits: Budget = {
  accountId: 'account',
  scopeKind: 'account',
  scopeId: 'account',
  interval: null,
  limitNanoUsd: undefined,
  includeByok: false,
};
const key: Budget = { ...credits, scopeKind: 'key', scopeId: 'key', interval: 'monthly' };

/** A replica and an authority that can be away; one step is a request of `hold` that costs `cost`. */
class World {
  nowMs = at;
  isAway = false;
  spent = 0n;
  answered = 0;
  readonly limits: Readonly<Record<string, bigint>>;
  readonly rules = new InMemoryAuthority({
    limitNanoUsd: ({ scopeKind }) => this.limits[scopeKind],
    settledNanoUsd: () => this.spent,
  });
  readonly spending = createSpending({
    nowMs: () => this.nowMs,
    authority: {
      acquire: async (requests) => {
        if (this.isAway) throw new Error('away');
        return this.rules.acquire('a', 1n, requests);
      },
    },
  });

  constructor(limits: Readonly<Record<string, bigint>>) {
    this.limits = limits;
  }

  async request(hold: bigint, cost: bigint): Promise<boolean> {
    const budgets = [credits, key];
    const now = () => new Date(this.nowMs);
    let held = this.spending.hold(budgets, hold, now());
    if (held instanceof Shortage) {
      await this.spending.ask(budgets, hold, now());
      held = this.spending.hold(budgets, hold, now());
    }
    if (held instanceof Shortage) return false;
    this.spending.settle(held, cost);
    const { leaseNumbers } = held;
    if (this.isAway) this.#uncounted.push([leaseNumbers, cost]);
    else this.#count(leaseNumbers, cost);
    this.answered += 1;
    return true;
  }

  async pass(ms: number): Promise<void> {
    this.nowMs += ms;
    await this.spending.tend().catch(() => undefined);
  }

  get leasedNanoUsd(): bigint {
    return this.rules.leasedNanoUsd({
      ...credits,
      windowKind: 'lifetime',
      windowStart: new Date(0).toISOString(),
    });
  }

  back(): void {
    this.isAway = false;
    for (const [numbers, cost] of this.#uncounted.splice(0)) this.#count(numbers, cost);
  }

  readonly #uncounted: [readonly bigint[], bigint][] = [];

  #count(leaseNumbers: readonly bigint[], costNanoUsd: bigint): void {
    this.spent += costNanoUsd;
    this.rules.count({ replica: 'a', leaseEpoch: 1n, leaseNumbers, costNanoUsd });
  }
}

const ample = { account: 10n ** 12n, key: 10n ** 12n };

describe('an authority that is away for ten minutes', () => {
  test.each([10, 20, 45, 61, 75, 90, 119, 121])(
    'is not missed after %d seconds of use, at whichever second of a minute they began',
    async (usedSeconds) => {
      for (let began = 0; began < minuteMs; began += 5_000) {
        const world = new World(ample);
        world.nowMs += began;
        const startedMs = world.nowMs;
        const use = async (untilMs: number) => {
          for (; world.nowMs < untilMs; await world.pass(1_000)) ok(await world.request(10n, 9n));
        };
        await use(startedMs + usedSeconds * 1_000);
        world.isAway = true;
        await use(world.nowMs + 10 * minuteMs);
      }
    },
  );

  test('is not missed by whoever goes on as before, whenever it goes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          everyMs: fc.integer({ min: 200, max: 60_000 }),
          usedMs: fc.integer({ min: minuteMs, max: 30 * minuteMs }),
          costNanoUsd: fc.bigInt({ min: 0n, max: 1_000n }),
          unusedNanoUsd: fc.bigInt({ min: 0n, max: 10_000n }),
        }),
        async ({ everyMs, usedMs, costNanoUsd, unusedNanoUsd }) => {
          const world = new World(ample);
          const hold = costNanoUsd + unusedNanoUsd + 1n;
          for (; world.nowMs < at + usedMs; await world.pass(everyMs))
            ok(await world.request(hold, costNanoUsd));
          world.isAway = true;
          const goneMs = world.nowMs;
          for (; world.nowMs < goneMs + 10 * minuteMs; await world.pass(everyMs))
            ok(await world.request(hold, costNanoUsd));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('is not missed by whoever sends several requests at once now and then, as before', async () => {
    const world = new World(ample);
    const hold = 1_000n;
    const atOnce = async (requests: number): Promise<void> => {
      if (requests === 0) return;
      const now = () => new Date(world.nowMs);
      let held = world.spending.hold([credits, key], hold, now());
      if (held instanceof Shortage) {
        await world.spending.ask([credits, key], hold, now());
        held = world.spending.hold([credits, key], hold, now());
      }
      ok(!(held instanceof Shortage));
      await atOnce(requests - 1);
      world.spending.settle(held, 1n);
    };
    const burst = async () => {
      await atOnce(8);
      for (let seconds = 0; seconds < 40; seconds += 1) {
        ok(await world.request(hold, 1n));
        await world.pass(1_000);
      }
    };
    for (let times = 0; times < 3; times += 1) await burst();
    world.isAway = true;
    for (let times = 0; times < 15; times += 1) await burst();
  });

  test('lets nobody spend more than was leased, and then says that it is away, not that money is missing', async () => {
    for (const limit of [50n, 1_000n, 100_000n]) {
      const world = new World({ ...ample, key: limit });
      for (let times = 0; times < 10; times += 1) {
        ok(await world.request(2n, 1n));
        await world.pass(500);
      }
      world.isAway = true;
      const leased = world.leasedNanoUsd;
      const before = world.answered;
      await rejects(
        async () => {
          for (;;) await world.request(2n, 2n);
        },
        { code: 'unavailable' },
      );
      const spentNanoUsd = BigInt(world.answered - before) * 2n;
      ok(spentNanoUsd > 0n && spentNanoUsd <= leased, `${spentNanoUsd} of ${leased}`);
      world.back();
      ok(world.spent <= limit, `${world.spent} of ${limit}`);
      await world.pass(500);
      ok(await world.request(1n, 0n));
    }
  });

  test('leaves to a key that is not used what it has, and gets it back afterwards', async () => {
    const world = new World(ample);
    for (let times = 0; times < 60; times += 1) {
      await world.request(10n, 10n);
      await world.pass(1_000);
    }
    world.isAway = true;
    for (let minutes = 0; minutes < 9; minutes += 1) await world.pass(minuteMs);
    equal(await world.request(10n, 10n), true);
    world.back();
    await world.pass(500);
    await world.pass(6 * minuteMs);
    deepEqual(world.leasedNanoUsd, 0n);
  });
});
