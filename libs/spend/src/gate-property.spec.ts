import { equal, ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import type { Principal } from '@sluice/inference';
import fc from 'fast-check';
import { test } from 'vitest';
import { createSpendGate, windowOf, type Hold, type Interval, type Standing } from './index.ts';
import { dayOf } from './window.ts';

type Step =
  | { readonly do: 'hold'; readonly key: number; readonly amount: bigint }
  | { readonly do: 'settle'; readonly pick: number; readonly percent: bigint }
  | { readonly do: 'release'; readonly pick: number }
  | { readonly do: 'count'; readonly facts: number }
  | { readonly do: 'snapshot'; readonly key: number }
  | { readonly do: 'deliver'; readonly pick: number }
  | { readonly do: 'buy'; readonly amount: bigint }
  | { readonly do: 'wait'; readonly hours: number };

const index = fc.nat({ max: 1_000 });
const amount = fc.bigInt({ min: 0n, max: 60n });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('hold'), key: index, amount }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('settle'),
      pick: index,
      percent: fc.bigInt({ min: 0n, max: 100n }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release'), pick: index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('count'), facts: fc.nat({ max: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('snapshot'), key: index }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('deliver'), pick: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('buy'), amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait'), hours: fc.nat({ max: 200 }) }) },
);

interface Fact {
  readonly keyHash: string;
  readonly at: Date;
  readonly cost: bigint;
}

const intervals: readonly Interval[] = ['daily', 'weekly', 'monthly', null];
const principals = intervals.map((limitReset, number): Principal => ({
  accountId: 'account',
  workspaceId: 'workspace',
  keyHash: `key${number}`,
  limitNanoUsd: 100n,
  limitReset,
  includeByokInLimit: false,
}));

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);

/** The truth, held apart from the gate: all facts, how many of them are counted, and what is open. */
class World {
  readonly gate = createSpendGate();
  readonly facts: Fact[] = [];
  readonly open: Hold[] = [];
  readonly snapshots: Standing[] = [];
  counted = 0;
  credits = 150n;
  now = new Date('2026-11-20T12:00:00.000Z');

  constructor() {
    for (const key of principals.keys()) this.gate.applyStanding(this.snapshot(key));
  }

  principal(key: number): Principal {
    const chosen = principals[key % principals.length];
    ok(chosen);
    return chosen;
  }

  snapshot(key: number): Standing {
    const { keyHash } = this.principal(key);
    const facts = this.facts.slice(0, this.counted);
    const own = facts.filter((fact) => fact.keyHash === keyHash);
    const within = (interval: Interval) => sum(spentIn(own, interval, this.now));
    return {
      accountId: 'account',
      keyHash,
      at: this.now,
      creditsNanoUsd: this.credits,
      usageNanoUsd: sum(facts.map((fact) => fact.cost)),
      keyUsage: {
        lifetime: within(null),
        daily: within('daily'),
        weekly: within('weekly'),
        monthly: within('monthly'),
      },
      keyByokUsage: { lifetime: 0n, daily: 0n, weekly: 0n, monthly: 0n },
      watermarks: new Map([[1n, BigInt(this.counted)]]),
    };
  }

  take(step: Step): void {
    switch (step.do) {
      case 'hold': {
        const hold = this.gate.hold(this.principal(step.key), step.amount, this.now);
        if (!isRejection(hold)) this.open.push(hold);
        return;
      }
      case 'settle': {
        const [hold] = this.open.splice(step.pick % (this.open.length || 1), 1);
        if (!hold) return;
        const cost = (hold.amountNanoUsd * step.percent) / 100n;
        this.facts.push({ keyHash: hold.principal.keyHash, at: hold.at, cost });
        this.gate.settle(hold, cost, { epoch: 1n, sequence: BigInt(this.facts.length) });
        return;
      }
      case 'release': {
        const [hold] = this.open.splice(step.pick % (this.open.length || 1), 1);
        if (hold) this.gate.release(hold);
        return;
      }
      case 'count':
        this.counted = Math.min(this.facts.length, this.counted + step.facts);
        return;
      case 'snapshot':
        this.snapshots.push(this.snapshot(step.key));
        return;
      case 'deliver': {
        const snapshot = this.snapshots[step.pick % (this.snapshots.length || 1)];
        if (snapshot) this.gate.applyStanding(snapshot);
        return;
      }
      case 'buy':
        this.credits += step.amount;
        return;
      case 'wait':
        this.now = new Date(this.now.getTime() + step.hours * 3_600_000);
    }
  }

  /** Spent and held of a key in the window of an instant. */
  usedBy({ keyHash, limitReset }: Principal, at: Date): bigint {
    const facts = this.facts.filter((fact) => fact.keyHash === keyHash);
    const holds = this.open
      .filter((hold) => hold.principal.keyHash === keyHash)
      .map((hold) => ({ keyHash, at: hold.at, cost: hold.amountNanoUsd }));
    return sum(spentIn([...facts, ...holds], limitReset, at));
  }

  /** Spent and held of the account. */
  get used(): bigint {
    return (
      sum(this.facts.map((fact) => fact.cost)) + sum(this.open.map((hold) => hold.amountNanoUsd))
    );
  }
}

function spentIn(facts: readonly Fact[], interval: Interval, at: Date): readonly bigint[] {
  const { firstDay, endDay } = windowOf(interval, at);
  return facts
    .filter((fact) => dayOf(fact.at) >= firstDay && dayOf(fact.at) < endDay)
    .map((fact) => fact.cost);
}

const steps = fc.array(step, { maxLength: 120, size: 'max' });

test('whatever happens in whatever order, no limit is ever overspent', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const world = new World();
      for (const one of taken) {
        world.take(one);
        ok(world.used <= world.credits, 'the credits of the account');
        for (const principal of principals)
          for (const { at } of [{ at: world.now }, ...world.open, ...world.facts])
            ok(world.usedBy(principal, at) <= 100n, `the ${principal.limitReset} limit of a key`);
      }
    }),
    { numRuns: 200 },
  );
});

test('with a fresh standing nothing is refused that is still there', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const world = new World();
      for (const one of taken) world.take(one);
      for (const [key, principal] of principals.entries()) {
        world.gate.applyStanding(world.snapshot(key));
        const account = world.credits - world.used;
        const own = 100n - world.usedBy(principal, world.now);
        const left = own < account ? own : account;
        equal(world.gate.affordableNanoUsd(principal, world.now), left);
      }
    }),
    { numRuns: 200 },
  );
});
