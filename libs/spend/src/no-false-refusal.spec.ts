import { ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { type Budget, createSpending, type Hold, Shortage, type Spending } from './index.ts';
import { type AskedBudget, InMemoryAuthority } from './testing.ts';

/** Older news is none: each step sees what the one before left behind. */
const stepMs = 101;
const replicas = 3;

interface Fact {
  readonly replica: string;
  readonly leaseEpoch: bigint;
  readonly leaseNumbers: readonly bigint[];
  readonly costNanoUsd: bigint;
  readonly scopes: readonly string[];
}

type Step =
  | { readonly do: 'admit'; readonly replica: number; readonly amounts: readonly bigint[] }
  | { readonly do: 'end'; readonly pick: number; readonly percent: bigint }
  | { readonly do: 'count'; readonly pick: number }
  | { readonly do: 'tend'; readonly replica: number }
  | { readonly do: 'limit'; readonly scope: number; readonly limit: bigint };

const replica = fc.nat({ max: replicas - 1 });
const pick = fc.nat({ max: 50 });
const amount = fc.bigInt({ min: 1n, max: 400n });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('admit' as const),
      replica,
      amounts: fc.array(amount, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      pick,
      percent: fc.bigInt({ min: 0n, max: 100n }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('count' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('tend' as const), replica }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('limit' as const),
      scope: fc.nat({ max: 2 }),
      limit: fc.bigInt({ min: 0n, max: 2_000n }),
    }),
  },
);

/** Replicas that share an account, a workspace and a guardrail, and an authority that answers at once. */
class World {
  nowMs = Date.parse('2026-11-20T12:00:00.000Z');
  readonly limits = [1_000n, 800n, 600n];
  readonly budgets = (['account', 'workspace', 'guardrail'] as const).map((scopeKind): Budget => ({
    accountId: 'acct',
    scopeKind,
    scopeId: scopeKind,
    interval: scopeKind === 'account' ? null : 'daily',
    limitNanoUsd: undefined,
    includeByok: false,
  }));
  readonly counted: Fact[] = [];
  readonly spooled: Fact[] = [];
  readonly open: { readonly hold: Hold; readonly replica: number }[] = [];
  readonly asked = new Map<string, AskedBudget>();
  refusals = 0;
  readonly authority = new InMemoryAuthority({
    limitNanoUsd: ({ scopeKind }) => this.limitOf(scopeKind),
    settledNanoUsd: ({ scopeKind }) => this.settledOf(scopeKind),
  });
  readonly replicas: readonly Spending[] = Array.from({ length: replicas }, (_, index) =>
    createSpending({
      nowMs: () => this.nowMs,
      authority: {
        acquire: async (requests) => {
          for (const { budget } of requests) this.asked.set(budget.scopeKind, budget);
          return this.authority.acquire(String(index), 1n, requests);
        },
      },
    }),
  );

  limitOf(scopeKind: string): bigint {
    return this.limits[this.budgets.findIndex((budget) => budget.scopeKind === scopeKind)] ?? 0n;
  }

  settledOf(scopeKind: string): bigint {
    return this.counted
      .filter(({ scopes }) => scopes.includes(scopeKind))
      .reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
  }

  /** The least rest of a budget beyond all that is out on leases. */
  get leastRoom(): bigint {
    const rooms = [...this.asked].map(
      ([kind, budget]) =>
        this.limitOf(kind) - this.settledOf(kind) - this.authority.leasedNanoUsd(budget),
    );
    return rooms.reduce((least, room) => (room < least ? room : least));
  }

  async admit(index: number, amountNanoUsd: bigint): Promise<void> {
    const at = new Date(this.nowMs);
    const spending = this.replicas[index] as Spending;
    let hold = spending.hold(this.budgets, amountNanoUsd, at);
    let isWorthMore = true;
    for (let asked = 0; hold instanceof Shortage && isWorthMore; asked += 1) {
      ok(asked < 100, 'the authority comes to an end of answering');
      isWorthMore = await spending.ask(this.budgets, amountNanoUsd, at);
      hold = spending.hold(this.budgets, amountNanoUsd, at);
    }
    if (!(hold instanceof Shortage)) {
      this.open.push({ hold, replica: index });
      return;
    }
    this.refusals += 1;
    const room = this.leastRoom;
    ok(room < amountNanoUsd, `${amountNanoUsd} was refused, ${room} was left beyond all leases`);
  }

  async take(step: Step): Promise<void> {
    this.nowMs += stepMs;
    switch (step.do) {
      case 'admit':
        await Promise.all(step.amounts.map((one) => this.admit(step.replica, one)));
        return;
      case 'end': {
        const [ended] = this.open.splice(step.pick % (this.open.length || 1), 1);
        if (!ended) return;
        const costNanoUsd = (ended.hold.amountNanoUsd * step.percent) / 100n;
        this.replicas[ended.replica]?.settle(ended.hold, costNanoUsd);
        const { leaseNumbers } = ended.hold;
        const scopes = this.budgets.map(({ scopeKind }) => scopeKind);
        const writer = { replica: String(ended.replica), leaseEpoch: 1n };
        this.spooled.push({ ...writer, leaseNumbers, costNanoUsd, scopes });
        return;
      }
      case 'count': {
        const [fact] = this.spooled.splice(step.pick % (this.spooled.length || 1), 1);
        if (!fact) return;
        this.counted.push(fact);
        this.authority.count(fact);
        return;
      }
      case 'tend':
        await this.replicas[step.replica]?.tend();
        return;
      case 'limit':
        this.limits[step.scope] = step.limit;
        for (const spending of this.replicas) await spending.limitsChanged('acct');
    }
  }
}

test('nothing is refused while more than all leases and the hold is left of each budget', async () => {
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const world = new World();
      for (const one of steps) await world.take(one);
      refusals += world.refusals;
    }),
    { numRuns: 400 },
  );
  ok(refusals > 400, 'and there were refusals to judge');
});
