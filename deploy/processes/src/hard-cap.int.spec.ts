import { equal, ok } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import type { Principal } from '@sluice/inference-port';
import { until } from '@sluice/patience';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { governedWorld, type GovernedWorld, token } from './testing/governed-world.ts';
import { ask, type Replica } from './testing/routing-replica.ts';

const dollar = 1_000_000_000n;
const clients = 500;
/** A few hundred requests. */
const limit = dollar / 4n;

let world: GovernedWorld;
let principal: Principal;
beforeAll(async () => {
  const postgresUrl = inject('postgresUrl');
  world = await governedWorld({ postgresUrl, creditsNanoUsd: 100n * dollar });
  principal = { ...(await world.addAccount('org_1')), limitNanoUsd: limit };
});
afterAll(() => world.stop());

async function statusOf(replica: Replica, body: object = {}): Promise<number> {
  return (await ask(replica, { principal, token, body })).status;
}

const spent = () => world.number('SELECT coalesce(sum(cost_nano_usd), 0) FROM usage_facts');
const suspended = () =>
  world.number(
    'SELECT coalesce(sum(suspended_nano_usd), 0) FROM estimates WHERE corrected_at IS NULL',
  );
/** True once the second run of a replica has said that all of the first one is counted. */
const isClosed = async () =>
  (await world.number(`SELECT count(*) FROM replicas WHERE epoch = 2`)) === 1n &&
  (await world.number(
    `SELECT count(*) FROM leases JOIN replicas USING (replica) WHERE leases.epoch < replicas.epoch`,
  )) === 0n;

/** Asks until nothing is left: refusals in a row, while leases go back. */
async function untilRefused(replica: Replica): Promise<void> {
  let refusals = 0;
  await until(
    async () => {
      refusals = (await statusOf(replica)) === 402 ? refusals + 1 : 0;
      return refusals > 9;
    },
    { everyMs: 100 },
  );
}

/** Asks until it is refused; a replica that dies is left for the other one. */
async function spendAll(replicas: readonly Replica[], first: number): Promise<void> {
  let at = first;
  for (let asked = 0; asked < 1_000; asked += 1) {
    const replica = replicas[at % replicas.length];
    ok(replica);
    const status = await statusOf(replica, { stream: asked % 2 === 0, max_output_tokens: 1_000 });
    if (status === 402) return;
    if (status !== 200) at += 1;
  }
}

/** Returns the money that is settled and leased of the key now; undefined: the database has no connection to spare. */
async function spentOrLeased(): Promise<bigint | undefined> {
  try {
    return await world.number(
      `SELECT (SELECT coalesce(sum(cost_nano_usd), 0) FROM usage_facts)
         + (SELECT coalesce(sum(suspended_nano_usd), 0) FROM estimates WHERE corrected_at IS NULL)
         + (SELECT coalesce(sum(greatest(0, granted_nano_usd - returned_nano_usd - counted_nano_usd)), 0)
            FROM leases WHERE scope_kind = 'key')`,
    );
  } catch (error) {
    if (error instanceof Fault && error.code === 'read_model_unavailable') return undefined;
    throw error;
  }
}

/** The most that was settled and leased of the key at any time. */
async function highestSpent(signal: AbortSignal): Promise<bigint> {
  let highest = 0n;
  while (!signal.aborted) {
    const now = (await spentOrLeased()) ?? 0n;
    if (now > highest) highest = now;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return highest;
}

describe('one key of 0.25 USD, 500 clients, two replicas, one of them killed', () => {
  test('is never overspent, and nothing of it is lost', async () => {
    const [first, second] = [await world.startReplica('a'), await world.startReplica('b')];
    const watching = new AbortController();
    const watched = highestSpent(watching.signal);
    watched.catch(() => {});
    const spending = Array.from({ length: clients }, (_, index) =>
      spendAll([first, second], index),
    );
    await until(async () => (await spent()) > limit / 5n);
    await first.kill();
    await Promise.all(spending);

    // The leases of the killed replica are free once its next run has reported all.
    const third = await world.startReplica('a');
    await until(isClosed);
    await Promise.all([second, third].map(untilRefused));
    const nearlyAll = (limit * 99n) / 100n;
    await until(async () => (await spent()) + (await suspended()) > nearlyAll);
    // The holds that the crash left open are neither spent nor free until the provider has reported its usage.
    await world.reconcile();
    equal(await suspended(), 0n);
    await Promise.all([second, third].map(untilRefused));
    await until(async () => (await spent()) > nearlyAll);
    watching.abort();
    const highest = await watched;
    ok(highest <= limit, `${highest} nano-USD`);
  });
});
