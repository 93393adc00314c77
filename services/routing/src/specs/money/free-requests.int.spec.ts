import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterEach, describe, test } from 'vitest';
import { inMemoryLedger } from '../../testing/in-memory-ledger.ts';
import {
  errorOf,
  eventually,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

const openHarnesses: RoutingHarness[] = [];
afterEach(async () => {
  await Promise.all(openHarnesses.splice(0).map((harness) => harness.stop()));
});

const noon = Date.parse('2026-11-18T12:00:30.000Z');
const minuteMs = 60_000;
/** A clock that stands still: no window ends while a test runs. */
function standingClock() {
  const clock = { atMs: noon, now: () => new Date(clock.atMs) };
  return clock;
}

type Options = NonNullable<Parameters<typeof routingHarness>[0]>;

async function replica(options: Options = {}): Promise<RoutingHarness> {
  const harness = await routingHarness({ clock: standingClock(), ...options });
  openHarnesses.push(harness);
  return harness;
}

const body = (more: object = {}) => ({ model: 'sim/echo:free', input: 'hello', ...more });
const anotherKey = { ...somebody, keyHash: 'another-key' };

/** Status codes and how often they came. */
async function statuses(calls: readonly Promise<{ readonly status: number }>[]) {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(calls)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function inSequence(times: number, call: () => Promise<{ readonly status: number }>) {
  const counts: Record<number, number> = {};
  for (let time = 0; time < times; time += 1) {
    const { status } = await call();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

describe('free models', () => {
  test('serve 20 requests a minute, over all keys of the account, one after the other', async () => {
    const routing = await replica();
    let calls = 0;
    const call = () => routing.call(body(), calls++ % 2 === 0 ? {} : { principal: anotherKey });
    deepEqual(await inSequence(23, call), { 200: 20, 429: 3 });
    const other = { ...somebody, accountId: 'other', keyHash: 'other' };
    equal((await routing.call(body(), { principal: other })).status, 200);
  });

  test('refuse with the limit, what is left, when it is whole again and what to wait', async () => {
    const routing = await replica();
    await inSequence(20, () => routing.call(body()));
    const reply = await routing.call(body());
    const { code, message, metadata } = await errorOf(reply);
    equal(code, 429);
    equal(message, 'Rate limit exceeded: 20 requests to free models per minute');
    deepEqual(metadata, {
      error_type: 'rate_limit_exceeded',
      reason: 'free_requests_exceeded',
      scope: 'account',
      limit: 20,
      interval: 'minute',
      resets_at: '2026-11-18T12:01:00.000Z',
    });
    const { headers } = reply;
    equal(headers['x-ratelimit-limit'], '20');
    equal(headers['x-ratelimit-remaining'], '0');
    equal(headers['x-ratelimit-reset'], String(noon + 30_000));
    equal(headers['retry-after'], '30');
    const paid = await routing.call({ model: 'sim/echo', input: 'hello' });
    equal(paid.status, 200);
    equal(paid.headers['x-ratelimit-limit'], undefined);
  });

  test('serve 50 requests a day, however many minutes they take', async () => {
    const clock = standingClock();
    const routing = await replica({ clock });
    const each = async () => {
      clock.atMs += minuteMs;
      return await inSequence(18, () => routing.call(body()));
    };
    deepEqual([await each(), await each()], [{ 200: 18 }, { 200: 18 }]);
    deepEqual(await each(), { 200: 14, 429: 4 });
    const reply = await routing.call(body());
    equal(reply.headers['x-ratelimit-limit'], '50');
    equal(reply.headers['x-ratelimit-reset'], String(Date.parse('2026-11-19T00:00:00.000Z')));
    clock.atMs = Date.parse('2026-11-19T00:00:00.000Z');
    equal((await routing.call(body())).status, 200);
  });

  test('serve an account without credits', async () => {
    const routing = await replica({ creditsNanoUsd: 0n });
    equal((await routing.call(body())).status, 200);
    equal((await routing.call({ model: 'sim/echo', input: 'hello' })).status, 402);
  });

  test('name their requests in usage facts, and other models do not', async () => {
    const routing = await replica();
    await routing.call(body());
    await routing.call({ model: 'sim/echo', input: 'hello' });
    const facts = await eventually(
      () => (routing.ledger.facts.length === 2 ? routing.ledger.facts : undefined),
      'both facts',
    );
    deepEqual(
      facts.map(({ model, costNanoUsd, freeRequestLeaseNumbers }) => [
        model,
        costNanoUsd === 0n,
        freeRequestLeaseNumbers.length,
      ]),
      [
        ['sim/echo:free', true, 2],
        ['sim/echo', false, 0],
      ],
    );
  });
});

describe('the quota of free models', () => {
  test('is not used by what failed before its first output', async () => {
    const routing = await replica();
    const failing = body({ model: 'sim/sim-error-503:free' });
    const failed = await inSequence(25, () => routing.call(failing));
    deepEqual(failed, { 503: 25 });
    deepEqual(await inSequence(21, () => routing.call(body())), { 200: 20, 429: 1 });
  });

  test('is used once by a request that two free models were tried for', async () => {
    const routing = await replica();
    routing.ledger.freeRequests.perMinute = 4n;
    const two = body({ models: ['sim/sim-error-503:free', 'sim/echo:free'], model: undefined });
    deepEqual(await inSequence(6, () => routing.call(two)), { 200: 4, 429: 2 });
  });

  test('leaves the models that a request names beside the free one', async () => {
    const routing = await replica();
    routing.ledger.freeRequests.perDay = 2n;
    const both = body({ models: ['sim/echo:free', 'sim/echo'], model: undefined });
    const models: unknown[] = [];
    for (let time = 0; time < 4; time += 1) {
      const reply = await routing.call(both);
      models.push((JSON.parse(await textOf(reply)) as { model: string }).model);
    }
    deepEqual(models, ['sim/echo:free', 'sim/echo:free', 'sim/echo', 'sim/echo']);
  });

  test('does not hold for own credentials', async () => {
    const routing = await replica();
    routing.ledger.freeRequests.perDay = 0n;
    equal((await routing.call(body())).status, 429);
    routing.credentials.kept.set('c1', { provider: 'simulator', secret: 'sk-own' });
    const ownKey = { ...anotherKey, workspaceId: 'another-workspace' };
    const reply = await routing.call(body(), { principal: ownKey });
    equal(reply.status, 200, await textOf(reply));
  });

  test.each([2, 3])('is not exceeded by %d replicas that are asked at once', async (count) => {
    const ledger = inMemoryLedger(0n);
    const replicas = await Promise.all(Array.from({ length: count }, () => replica({ ledger })));
    const calls = Array.from({ length: 60 }, async (_, index) => {
      const routing = replicas[index % count];
      ok(routing);
      return await routing.call(body());
    });
    const counts = await statuses(calls);
    ok((counts[200] ?? 0) <= 20, JSON.stringify(counts));
    // The rest of the others' leases is free again in a moment: then exactly the limit was served.
    let served = counts[200] ?? 0;
    await eventually(async () => {
      for (const routing of replicas) if ((await routing.call(body())).status === 200) served += 1;
      return served >= 20 || undefined;
    }, 'all of the quota');
    deepEqual(await inSequence(5, () => replicas[0]?.call(body()) as never), { 429: 5 });
    equal(served, 20);
  });

  test('is known again after a crash', async () => {
    const routing = await replica();
    await inSequence(12, () => routing.call(body()));
    await eventually(() => routing.ledger.facts.length === 12 || undefined, 'all facts');
    await routing.crash();
    await routing.start();
    deepEqual(await inSequence(10, () => routing.call(body())), { 200: 8, 429: 2 });
  });
});
