import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { beforeEach, describe, test } from 'vitest';
import { isRejection } from '@sluice/errors';
import { createLogger } from '@sluice/service';
import { createSpendGate } from '@sluice/spend';
import { inMemoryLedger } from '../testing/in-memory-ledger.ts';
import { somebody } from '../testing/routing-harness.ts';
import { Outbox } from '../usage/outbox.ts';
import { Standings } from './standings.ts';

const start = Date.parse('2026-11-20T12:00:00.000Z');

function setUp() {
  let nowMs = start;
  const clock = { now: () => new Date(nowMs) };
  const gate = createSpendGate();
  const ledger = inMemoryLedger(1_000n);
  const replica = { id: 'replica', epoch: 3n };
  const outbox = new Outbox();
  const logger = createLogger({ service: 'routing', level: 'silent' });
  const standings = new Standings({ gate, ledger, outbox, replica, clock, logger });
  return { gate, ledger, outbox, standings, pass: (ms: number) => void (nowMs += ms) };
}

let world: ReturnType<typeof setUp>;
beforeEach(() => {
  world = setUp();
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the standing of a key', () => {
  test('is asked for at its first request and then known', async () => {
    const { standings, ledger } = world;
    const waiting = standings.ready(somebody);
    ok(waiting);
    await waiting;
    equal(standings.ready(somebody), undefined);
    equal(ledger.standingsAsked, 1);
  });

  test('is asked for once by many requests at one time', async () => {
    const { standings, ledger } = world;
    await Promise.all([1, 2, 3].map(async () => standings.ready(somebody)));
    equal(ledger.standingsAsked, 1);
  });

  test('is refreshed beside a request before it is too old, and awaited when it is', async () => {
    const { standings, ledger, pass } = world;
    await standings.ready(somebody);
    pass(4_500);
    equal(standings.ready(somebody), undefined);
    await settled();
    equal(ledger.standingsAsked, 2);
    pass(5_500);
    ok(standings.ready(somebody));
    await settled();
    equal(ledger.standingsAsked, 3);
  });

  test('is refreshed sooner when the ledger says that something changed', async () => {
    const { standings, ledger, pass } = world;
    await standings.ready(somebody);
    pass(1_500);
    standings.changed('another account');
    equal(standings.ready(somebody), undefined);
    equal(ledger.standingsAsked, 1);
    standings.changed(somebody.accountId);
    equal(standings.ready(somebody), undefined);
    await settled();
    equal(ledger.standingsAsked, 2);
  });

  test('is asked for again before a refusal, but not by each one', async () => {
    const { standings, ledger, pass } = world;
    await standings.ready(somebody);
    equal(await standings.again(somebody), false);
    pass(300);
    equal(await standings.again(somebody), true);
    equal(await standings.again(somebody), false);
    equal(ledger.standingsAsked, 2);
  });

  test('is forgotten when nobody uses the key, and asked for when somebody does', async () => {
    const { standings, gate, pass } = world;
    await standings.ready(somebody);
    pass(299_000);
    standings.forgetIdle();
    ok(gate.knownSince(somebody));
    pass(2_000);
    standings.forgetIdle();
    equal(gate.knownSince(somebody), undefined);
    await standings.ready(somebody);
    ok(gate.knownSince(somebody));
  });
});

describe('without the ledger', () => {
  test('what is known is good for 30 seconds, then nothing is admitted', async () => {
    const { standings, ledger, pass } = world;
    await standings.ready(somebody);
    ledger.isUp = false;
    pass(29_000);
    await standings.ready(somebody);
    pass(2_000);
    await rejects(async () => standings.ready(somebody), {
      code: 'unavailable',
      retryAfterSeconds: 1,
    });
  });

  test('a key that nobody knows is not admitted', async () => {
    const { standings, ledger } = world;
    ledger.isUp = false;
    await rejects(async () => standings.ready(somebody), { code: 'unavailable' });
  });

  test('the ledger is left alone for a moment after it failed', async () => {
    const { standings, ledger, pass } = world;
    ledger.isUp = false;
    for (let count = 0; count < 5; count += 1)
      await Promise.resolve(standings.ready(somebody)).catch(() => {});
    equal(ledger.standingsAsked, 1);
    pass(1_000);
    ledger.isUp = true;
    await standings.ready(somebody);
    equal(ledger.standingsAsked, 2);
  });
});

test('what the answer contains is not pending any more', async () => {
  const { standings, gate, outbox, pass } = world;
  await standings.ready(somebody);
  const hold = gate.hold(somebody, 100n, new Date(start));
  ok(!isRejection(hold));
  gate.settle(hold, 100n, { epoch: 2n, sequence: 9n });
  outbox.counted(2n, 9n);
  pass(300);
  await standings.again(somebody);
  deepEqual(gate.affordableNanoUsd(somebody, new Date(start)), 1_000n);
});
