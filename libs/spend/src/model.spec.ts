import { ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import {
  type Budget,
  createSpending,
  type Hold,
  type LeaseRequest,
  Shortage,
  type Spending,
} from './index.ts';
import { type AskedBudget, InMemoryAuthority } from './testing.ts';

/** Durable in the spool of a replica, or counted. */
interface Fact {
  readonly replica: string;
  readonly leaseEpoch: bigint;
  readonly leaseNumbers: readonly bigint[];
  readonly costNanoUsd: bigint;
  readonly budgets: readonly string[];
  isCounted: boolean;
}

interface OpenRequest {
  readonly hold: Hold;
  readonly budgets: readonly string[];
  readonly epoch: bigint;
}

/** A call on its way: the authority may get it late, and the replica may not get the answer. */
interface Call {
  readonly replica: Replica;
  readonly epoch: bigint;
  readonly requests: readonly LeaseRequest[];
  readonly answer: PromiseWithResolvers<ReturnType<InMemoryAuthority['acquire']>>;
}

interface Replica {
  readonly id: string;
  epoch: bigint;
  spending: Spending;
  /** Also those of earlier epochs, whose intents are on the disk. */
  open: OpenRequest[];
}

const keys = ['k1', 'k2'];
const creditsAtStart = 300n;
const keyLimitAtStart = 100n;
const nameOf = ({ scopeKind, scopeId, windowStart }: AskedBudget) =>
  `${scopeKind}/${scopeId}/${windowStart}`;

type Step =
  | {
      readonly do: 'admit';
      readonly replica: number;
      readonly key: number;
      readonly amount: bigint;
    }
  | {
      readonly do: 'end';
      readonly replica: number;
      readonly pick: number;
      readonly percent: bigint;
    }
  | { readonly do: 'kill'; readonly replica: number }
  | { readonly do: 'call'; readonly pick: number; readonly fate: 'answered' | 'lost' | 'unheard' }
  | { readonly do: 'repeat'; readonly pick: number }
  | { readonly do: 'count'; readonly pick: number }
  | { readonly do: 'close'; readonly replica: number }
  | { readonly do: 'tend'; readonly replica: number }
  | { readonly do: 'raise'; readonly amount: bigint }
  | { readonly do: 'pass'; readonly ms: number };

const replica = fc.nat({ max: 2 });
const pick = fc.nat({ max: 50 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('admit' as const),
      replica,
      key: fc.nat({ max: 1 }),
      amount: fc.constantFrom(0n, 1n, 10n, 40n, 60n),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      pick,
      fate: fc.constantFrom('answered', 'answered', 'answered', 'lost', 'unheard' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      replica,
      pick,
      percent: fc.constantFrom(0n, 50n, 100n, 100n),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('count' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tend' as const), replica }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const), replica }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('close' as const), replica }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('raise' as const),
      amount: fc.bigInt({ min: 1n, max: 50n }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(10, 600, 6_000, 310_000, 86_400_000),
    }),
  },
);

/** An authority, three replicas, the network between them and their disks. */
class World {
  nowMs = Date.parse('2026-11-20T12:00:00.000Z');
  credits = creditsAtStart;
  readonly facts: Fact[] = [];
  readonly calls: Call[] = [];
  readonly past: Call[] = [];
  readonly authority = new InMemoryAuthority({
    limitNanoUsd: (budget) => this.limitOf(nameOf(budget)),
    settledNanoUsd: (budget) => this.settled(nameOf(budget), (fact) => fact.isCounted),
  });
  readonly replicas: readonly Replica[] = ['a', 'b', 'c'].map((id) => {
    const made: Replica = { id, epoch: 1n, spending: undefined as never, open: [] };
    made.spending = this.spendingOf(made);
    return made;
  });

  limitOf(name: string): bigint {
    return name.startsWith('account') ? this.credits : keyLimitAtStart;
  }

  settled(name: string, isMeant: (fact: Fact) => boolean): bigint {
    return this.facts
      .filter((fact) => isMeant(fact) && fact.budgets.includes(name))
      .reduce((sum, fact) => sum + fact.costNanoUsd, 0n);
  }

  spendingOf(replica: Replica): Spending {
    const { epoch } = replica;
    return createSpending({
      nowMs: () => this.nowMs,
      authority: {
        acquire: (requests) => {
          const answer = Promise.withResolvers<ReturnType<InMemoryAuthority['acquire']>>();
          this.calls.push({ replica, epoch, requests, answer });
          return answer.promise;
        },
      },
    });
  }

  budgets(key: number): readonly Budget[] {
    const common = { accountId: 'acct', includeByok: false, limitNanoUsd: undefined };
    return [
      { ...common, scopeKind: 'account', scopeId: 'acct', interval: null },
      { ...common, scopeKind: 'key', scopeId: keys[key] ?? '', interval: 'daily' },
    ];
  }

  namesOf(key: number, at: Date): readonly string[] {
    const day = new Date(Math.floor(at.getTime() / 86_400_000) * 86_400_000).toISOString();
    return [`account/acct/${new Date(0).toISOString()}`, `key/${keys[key] ?? ''}/${day}`];
  }

  async admit(replica: Replica, key: number, amount: bigint): Promise<void> {
    const { spending, epoch } = replica;
    const at = new Date(this.nowMs);
    const budgets = this.budgets(key);
    const note = (hold: Hold) => replica.open.push({ hold, budgets: this.namesOf(key, at), epoch });
    const hold = spending.hold(budgets, amount, at);
    if (!(hold instanceof Shortage)) return void note(hold);
    await spending.ask(budgets, amount, at).catch(() => false);
    // A replica that died meanwhile admits nobody.
    if (replica.epoch !== epoch) return;
    const again = spending.hold(budgets, amount, at);
    if (!(again instanceof Shortage)) note(again);
  }

  end(replica: Replica, picked: number, percent: bigint): void {
    const [request] = replica.open.splice(picked % (replica.open.length || 1), 1);
    if (!request) return;
    const { hold, budgets, epoch } = request;
    const costNanoUsd = (hold.amountNanoUsd * percent) / 100n;
    if (epoch === replica.epoch) replica.spending.settle(hold, costNanoUsd);
    const { leaseNumbers } = hold;
    const paid = { replica: replica.id, leaseEpoch: epoch, leaseNumbers };
    this.facts.push({ ...paid, costNanoUsd, budgets, isCounted: false });
  }

  call(call: Call, fate: 'answered' | 'lost' | 'unheard'): void {
    if (fate === 'unheard') return call.answer.reject(new Error('unheard'));
    try {
      const answer = this.authority.acquire(call.replica.id, call.epoch, call.requests);
      if (fate === 'answered') call.answer.resolve(answer);
      else call.answer.reject(new Error('lost'));
    } catch (error) {
      call.answer.reject(error);
    }
  }

  async take(step: Step): Promise<void> {
    const at = (index: number) => this.replicas[index] as Replica;
    switch (step.do) {
      case 'admit':
        void this.admit(at(step.replica), step.key, step.amount);
        break;
      case 'end':
        this.end(at(step.replica), step.pick, step.percent);
        break;
      case 'kill': {
        const killed = at(step.replica);
        killed.epoch += 1n;
        killed.spending = this.spendingOf(killed);
        break;
      }
      case 'call': {
        const [call] = this.calls.splice(step.pick % (this.calls.length || 1), 1);
        if (!call) break;
        this.call(call, step.fate);
        this.past.push(call);
        break;
      }
      case 'repeat': {
        const call = this.past[step.pick % (this.past.length || 1)];
        if (call) this.call(call, 'lost');
        break;
      }
      case 'count': {
        const waiting = this.facts.filter(({ isCounted }) => !isCounted);
        const fact = waiting[step.pick % (waiting.length || 1)];
        if (!fact) break;
        fact.isCounted = true;
        this.authority.count(fact);
        break;
      }
      case 'close': {
        const { id, epoch, open } = at(step.replica);
        const isOld = (one: { readonly epoch: bigint }) => one.epoch < epoch;
        const left = this.facts.filter((fact) => fact.replica === id && fact.leaseEpoch < epoch);
        // The replica says so only when all that earlier epochs have left in its spool is counted.
        if (!open.some(isOld) && left.every(({ isCounted }) => isCounted))
          this.authority.closeEpochs(id, epoch);
        break;
      }
      case 'tend':
        at(step.replica)
          .spending.tend()
          .catch(() => {});
        break;
      case 'raise':
        this.credits += step.amount;
        break;
      case 'pass':
        this.nowMs += step.ms;
        break;
    }
    // Lets everything run that does not wait for the network.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }

  /** For each budget in each window: what is spent, counted or not, and what is held. */
  *used(): Generator<readonly [string, bigint]> {
    const open = this.replicas.flatMap((one) => one.open);
    const names = new Set([...this.facts, ...open].flatMap(({ budgets }) => budgets));
    for (const name of names) {
      const held = open
        .filter(({ budgets }) => budgets.includes(name))
        .reduce((sum, { hold }) => sum + hold.amountNanoUsd, 0n);
      yield [name, this.settled(name, () => true) + held];
    }
  }
}

test('whatever is killed, lost, late or repeated, no budget is ever overspent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 150, size: 'max' }), async (steps) => {
      const world = new World();
      for (const one of steps) {
        await world.take(one);
        for (const [name, used] of world.used())
          ok(used <= world.limitOf(name), `${name}: ${used} of ${world.limitOf(name)}`);
      }
    }),
    { numRuns: 800 },
  );
});

test('when all has come through, everything that is left can be spent by anybody', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
      const world = new World();
      for (const one of steps) await world.take(one);
      await settle(world);
      for (const [name, used] of world.used()) {
        const left = world.limitOf(name) - used;
        ok(left >= 0n);
        const [scopeKind = '', scopeId = '', windowStart = ''] = name.split('/');
        const windowKind = scopeKind === 'account' ? 'lifetime' : 'daily';
        const budget = { accountId: 'acct', scopeKind, scopeId, windowKind, windowStart };
        ok(world.authority.leasedNanoUsd(budget) === 0n, `${name} is leased still`);
      }
    }),
    { numRuns: 100 },
  );
});

/** All requests ended, all facts counted, dead epochs closed, idle leases given back. */
async function settle(world: World): Promise<void> {
  const answerAll = async () => {
    while (world.calls.length > 0) await world.take({ do: 'call', pick: 0, fate: 'answered' });
  };
  await answerAll();
  for (const replica of world.replicas) while (replica.open.length > 0) world.end(replica, 0, 50n);
  for (const fact of world.facts.filter(({ isCounted }) => !isCounted)) {
    fact.isCounted = true;
    world.authority.count(fact);
  }
  await answerAll();
  for (const index of world.replicas.keys()) await world.take({ do: 'close', replica: index });
  for (let round = 0; round < 5; round += 1) {
    await world.take({ do: 'pass', ms: 310_000 });
    for (const index of world.replicas.keys()) await world.take({ do: 'tend', replica: index });
    await answerAll();
  }
}
