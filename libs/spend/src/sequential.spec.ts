import { equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { type Budget, createSpending, type Hold, Shortage } from './index.ts';
import { InMemoryAuthority, type PaidFact } from './testing.ts';

const limitNanoUsd = 1_000_000n;
const budgets: readonly Budget[] = (['account', 'key'] as const).map((scopeKind) => ({
  accountId: 'acct',
  scopeKind,
  scopeId: scopeKind,
  interval: null,
  limitNanoUsd: scopeKind === 'key' ? limitNanoUsd : undefined,
  includeByok: false,
}));

/** One replica, an authority that takes its time, and facts that are counted later. */
function world() {
  let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
  let settled = 0n;
  let spent = 0n;
  const rules = new InMemoryAuthority({
    limitNanoUsd: ({ scopeKind }) => (scopeKind === 'key' ? limitNanoUsd : 100_000_000_000n),
    settledNanoUsd: () => settled,
  });
  const answers: (() => void)[] = [];
  const spending = createSpending({
    nowMs: () => nowMs,
    authority: {
      async acquire(requests) {
        await new Promise<void>((resolve) => void answers.push(resolve));
        const answer = rules.acquire('replica', 1n, requests);
        await new Promise<void>((resolve) => void answers.push(resolve));
        return answer;
      },
    },
  });
  const facts: PaidFact[] = [];
  return {
    spending,
    pass: (ms: number) => void (nowMs += ms),
    at: () => new Date(nowMs),
    get left() {
      return limitNanoUsd - spent;
    },
    /** The authority takes a question or gives an answer, if there is one. */
    async answer(place: number): Promise<void> {
      const [resolve] = answers.splice(place % Math.max(1, answers.length), 1);
      resolve?.();
      await new Promise((turn) => setImmediate(turn));
    },
    settle(hold: Hold, costNanoUsd: bigint) {
      spending.settle(hold, costNanoUsd);
      spent += costNanoUsd;
      facts.push({
        replica: 'replica',
        leaseEpoch: 1n,
        leaseNumbers: hold.leaseNumbers,
        costNanoUsd,
      });
    },
    count() {
      const fact = facts.shift();
      if (!fact) return;
      settled += fact.costNanoUsd;
      rules.count(fact);
    },
  };
}

/** Holds as a request does: of what is here, else of what the authority grants as long as that is worth it. */
async function admit(
  one: ReturnType<typeof world>,
  amountNanoUsd: bigint,
  places: readonly number[],
): Promise<Hold | Shortage> {
  const { spending } = one;
  let hold = spending.hold(budgets, amountNanoUsd, one.at());
  for (let asked = 0; hold instanceof Shortage; asked += 1) {
    ok(asked < 50, 'the authority comes to an end of answering');
    const asking = { isWorthMore: true, isOver: false };
    const asks = spending.ask(budgets, amountNanoUsd, one.at()).then((isWorthMore) => {
      Object.assign(asking, { isWorthMore, isOver: true });
    });
    for (let turn = 0; !asking.isOver; turn += 1)
      await one.answer(places[turn % places.length] ?? 0);
    await asks;
    hold = spending.hold(budgets, amountNanoUsd, one.at());
    if (!asking.isWorthMore) return hold;
  }
  return hold;
}

describe('requests one after the other', () => {
  const step = fc.record({
    passMs: fc.nat({ max: 120 }),
    percent: fc.bigInt({ min: 0n, max: 60n }),
    tends: fc.boolean(),
    /** It would take more than there is, and makes do with less. */
    isGreedy: fc.boolean(),
    counts: fc.boolean(),
    places: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }),
  });

  test('are never refused while the worst case of one fits, whatever goes back and forth meanwhile', async () => {
    const amounts = fc.bigInt({ min: 20_000n, max: 1_000_000n });
    let served = 0;
    await fc.assert(
      fc.asyncProperty(
        amounts,
        fc.array(step, { minLength: 5, maxLength: 40 }),
        async (amount, steps) => {
          const one = world();
          for (const { passMs, percent, tends, isGreedy, counts, places } of steps) {
            one.pass(passMs);
            // The answers of the authority come while the request asks, in any order.
            if (tends) void one.spending.tend();
            const fits = amount <= one.left;
            if (isGreedy) ok((await admit(one, 2n * limitNanoUsd, places)) instanceof Shortage);
            const hold = await admit(one, amount, places);
            equal(!(hold instanceof Shortage), fits, `${one.left} of ${limitNanoUsd} is left`);
            if (hold instanceof Shortage) continue;
            served += 1;
            one.pass(passMs);
            one.settle(hold, (amount * percent) / 100n);
            if (counts) one.count();
          }
        },
      ),
      { numRuns: 300 },
    );
    ok(served > 1_000, `${served} were served`);
  });
});
