import { equal, match, ok, rejects } from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Fault } from '@sluice/errors';
import { systemClock } from '@sluice/clock-and-ids';
import { type Budget, createSpending, type Hold, Shortage } from '@sluice/spend';
import { InMemoryAuthority } from '@sluice/spend/testing';
import { createTelemetry } from '@sluice/telemetry';
import { describe, test } from 'vitest';
import { holdOrAsk } from './hold-or-ask.ts';

const { metrics } = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
const account: Budget = {
  accountId: 'account',
  scopeKind: 'account',
  scopeId: 'account',
  interval: null,
  limitNanoUsd: undefined,
  includeByok: false,
};
const amount = 1_000n;

/** A replica whose lease holds a few requests, all of which run, and a ledger that then goes away. */
async function leased(away: () => Promise<never>) {
  let isAway = false;
  const rules = new InMemoryAuthority({
    limitNanoUsd: () => 10n ** 9n,
    settledNanoUsd: () => 0n,
  });
  const spending = createSpending({
    authority: {
      acquire: async (requests) => (isAway ? await away() : rules.acquire('a', 1n, requests)),
    },
    nowMs: () => performance.now(),
  });
  const hold = () => holdOrAsk({ spending, clock: systemClock, metrics }, [account], amount);
  const first = held(await hold());
  isAway = true;
  const running = [first];
  for (;;) {
    const next = spending.hold([account], amount, systemClock.now());
    if (next instanceof Shortage) break;
    running.push(next);
  }
  return { spending, hold, running };
}

function held(answer: Hold | Shortage): Hold {
  ok(!(answer instanceof Shortage));
  return answer;
}

const faults: readonly (readonly [string, () => Promise<never>])[] = [
  ['does not answer', () => new Promise<never>(() => {})],
  ['refuses connections', () => Promise.reject(new Fault('unavailable'))],
];

describe.each(faults)(
  'a request that finds its lease all held by others while the ledger %s',
  (_how, away) => {
    test('takes what the next of them leaves', async () => {
      const { spending, hold, running } = await leased(away);
      const waiting = hold();
      await turn();
      spending.settle(running[0] as Hold, 0n);
      equal(held(await waiting).amountNanoUsd, amount);
    });

    test('is one of many that do, and each is served', async () => {
      const { spending, hold, running } = await leased(away);
      const waiting = Array.from({ length: 20 }, async () => {
        const taken = held(await hold());
        spending.settle(taken, 1n);
      });
      await turn();
      for (const one of running) spending.settle(one, 1n);
      await Promise.all(waiting);
    });

    test('fails as unavailable if none of them ends, and names the ledger', async () => {
      const { hold } = await leased(away);
      const startedMs = performance.now();
      await rejects(hold(), (error: Fault) => {
        equal(error.code, 'unavailable');
        equal(error.retryAfterSeconds, 1);
        match(error.message, /ledger/);
        return true;
      });
      ok(performance.now() - startedMs < 10_000);
    });
  },
);

test('a request fails as unavailable at once if no running one can make room for it', async () => {
  const { spending, running } = await leased(() => Promise.reject(new Fault('unavailable')));
  const spender = { spending, clock: systemClock, metrics };
  const { length } = running;
  const tooMuch = amount * BigInt(length + 1) * 10n;
  let isOver = false;
  const refused = rejects(holdOrAsk(spender, [account], tooMuch), { code: 'unavailable' });
  void refused.then(() => (isOver = true));
  for (let turns = 0; turns < 20; turns += 1) await turn();
  ok(isOver);
  await refused;
});
