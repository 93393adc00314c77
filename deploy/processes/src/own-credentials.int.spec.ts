import { deepEqual, equal, ok } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Principal } from '@sluice/inference-port';
import { verifyLedger } from '@sluice/ledger/verification';
import { until } from '@sluice/patience';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { governedWorld, type GovernedWorld, token } from './testing/governed-world.ts';
import { ask, type Replica } from './testing/routing-replica.ts';

const dollar = 1_000_000_000n;

/** A provider of the registry that the simulator plays, at a price at which a dollar is soon used up. */
async function environment(folder: string, simulatorUrl: string) {
  const file = join(folder, 'catalog.yaml');
  await writeFile(
    file,
    `
providers:
  - { slug: openai, name: OpenAI, dialect: openai-responses, base_url: '${simulatorUrl}' }
models:
  - id: openai/echo
    max_output_tokens: 200
    provider: openai
    upstream_model: echo
    pricing: { prompt: '0.0001', completion: '0.0001' }
`,
  );
  return { SLUICE_CATALOG: file, SLUICE_BYOK_ALLOWANCE_USD: '1' };
}

let world: GovernedWorld;
let replicas: readonly [Replica, Replica];
beforeAll(async () => {
  const options = { postgresUrl: inject('postgresUrl'), creditsNanoUsd: 100n * dollar };
  world = await governedWorld({ ...options, environment });
  replicas = [await world.startReplica('a'), await world.startReplica('b')];
});
afterAll(() => world.stop());

/** A test machine may be slower by this factor. Without a notice, a cached value is believed for longer than that. */
const slowdown = 4;

/** Returns `is_byok` of the answer. undefined: there was no answer. */
async function isByok(replica: Replica, principal: Principal): Promise<boolean | undefined> {
  const body = { model: 'openai/echo', input: '[sim:words-100]', max_output_tokens: 200 };
  const answer = await ask(replica, { principal, token, body });
  if (answer.status !== 200) return undefined;
  return (JSON.parse(answer.body) as { usage: { is_byok: boolean } }).usage.is_byok;
}

/** Milliseconds until both replicas go by it; asked again and again. */
async function msUntil(principal: Principal, wanted: boolean): Promise<number> {
  const startedMs = performance.now();
  const times = replicas.map(async (replica) => {
    await until(async () => (await isByok(replica, principal)) === wanted);
    return performance.now() - startedMs;
  });
  return Math.max(...(await Promise.all(times)));
}

describe('a provider credential', () => {
  test('that is there, or gone, is so on every replica within a second', async () => {
    const principal = await world.addAccount('org_c');
    await until(async () => (await isByok(replicas[0], principal)) === false);
    equal(await isByok(replicas[1], principal), false);
    const times = [];
    for (let round = 0; round < 3; round++) {
      world.credentials.set('org_c', 'sk-own');
      times.push(await msUntil(principal, true));
      world.credentials.set('org_c', undefined);
      times.push(await msUntil(principal, false));
    }
    ok(Math.max(...times) < slowdown * 1_000, `${times.map(Math.round).join(', ')} ms`);
  });
});

describe('the allowance of a month', () => {
  test('is used up by two replicas and many clients, and never exceeded', async () => {
    const accountId = 'org_a';
    const principal = await world.addAccount(accountId);
    world.credentials.set(accountId, 'sk-own');
    const number = (sum: string, where = 'true') =>
      world.number(
        `SELECT coalesce(sum(${sum}), 0) FROM usage_facts WHERE account_id = '${accountId}' AND ${where}`,
      );
    await until(async () => (await isByok(replicas[0], principal)) === true);
    let served = 1;
    const client = async (first: number) => {
      for (let asked = first; asked < first + 12; asked++)
        if ((await isByok(asked % 2 === 0 ? replicas[0] : replicas[1], principal)) === true)
          served++;
    };
    await Promise.all(Array.from({ length: 16 }, (_, index) => client(index)));
    await until(async () => (await number('1')) === BigInt(served));
    const free = await number('free_nano_usd');
    ok(free <= dollar, `${free} nano-USD were free`);
    ok(free > (dollar * 9n) / 10n, `only ${free} nano-USD were free`);
    equal(await number('fee_nano_usd', 'NOT is_byok'), 0n);
    deepEqual(
      await number('1', 'fee_nano_usd <> ceil((cost_nano_usd - free_nano_usd) / 20.0)'),
      0n,
    );
    const counted = await world.number(
      `SELECT byok_nano_usd FROM counters WHERE scope_kind = 'allowance' AND account_id = '${accountId}'`,
    );
    equal(counted, free);
  });
});

/** The most that was settled and leased of a budget of the account at any look, until the signal. */
async function highest(budget: string, signal: AbortSignal): Promise<bigint> {
  let most = 0n;
  while (!signal.aborted) {
    const now = await world.number(
      `SELECT (SELECT coalesce(sum(credits_nano_usd + byok_nano_usd), 0) FROM counters WHERE ${budget})
         + (SELECT coalesce(sum(greatest(0, granted_nano_usd - returned_nano_usd - counted_nano_usd)), 0)
            FROM leases WHERE ${budget})`,
    );
    if (now > most) most = now;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return most;
}

/** Kills the second replica so often, and starts it again, while many clients ask both. */
async function killSecond(times: number, principal: Principal): Promise<void> {
  let [, second] = replicas;
  const done = new AbortController();
  let answered = 0;
  const client = async (number: number) => {
    for (let asked = 0; !done.signal.aborted; asked++) {
      const replica = (asked + number) % 2 === 0 ? replicas[0] : second;
      const input = '[sim:words-30] [sim:slow-5]';
      const stream = number % 2 === 0;
      const body = { model: 'openai/echo', input, max_output_tokens: 200, stream };
      const { status } = await ask(replica, { principal, token, body });
      // One that answers nothing has nothing to interrupt.
      if (status === 200) answered += replica === replicas[0] ? 0 : 1;
      // A refused client tries again in a moment.
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const clients = Promise.all(Array.from({ length: 12 }, (_, number) => client(number)));
  for (let kill = 0; kill < times; kill++) {
    const before = answered;
    await until(() => answered >= before + 15);
    await second.kill();
    second = await world.startReplica('b');
  }
  done.abort();
  await clients;
}

describe('a replica that is killed again and again', () => {
  test('leaves no fee wrong, no cap exceeded and no counter off', async () => {
    const accountId = 'org_k';
    const limitNanoUsd = 2n * dollar;
    const limit = { limitNanoUsd, includeByokInLimit: true };
    const principal = { ...(await world.addAccount(accountId)), ...limit };
    world.credentials.set(accountId, 'sk-own');
    await until(async () => (await isByok(replicas[0], principal)) === true);
    const watching = new AbortController();
    const ofAccount = `account_id = '${accountId}'`;
    const watched = Promise.all([
      highest(`${ofAccount} AND scope_kind = 'allowance'`, watching.signal),
      highest(`${ofAccount} AND scope_kind = 'key' AND window_kind = 'lifetime'`, watching.signal),
    ]);
    watched.catch(() => {});
    await killSecond(2, principal);
    await until(
      async () =>
        (await world.number(
          `SELECT count(*) FROM leases JOIN replicas USING (replica) WHERE leases.epoch < replicas.epoch`,
        )) === 0n,
    );
    watching.abort();
    const [free, ofKey] = await watched;
    ok(free <= dollar, `${free} nano-USD were free`);
    ok(ofKey <= limitNanoUsd, `${ofKey} nano-USD of the key`);
    const rows = (where: string) =>
      world.number(`SELECT count(*) FROM usage_facts WHERE ${ofAccount} AND ${where}`);
    ok((await rows(`outcome = 'interrupted'`)) > 0n, 'nothing was interrupted');
    equal(await rows('fee_nano_usd <> ceil((cost_nano_usd - free_nano_usd) / 20.0)'), 0n);
    equal(await rows('NOT is_byok AND fee_nano_usd > 0'), 0n);
    const { schema } = world.database;
    const postgresUrl = inject('postgresUrl');
    deepEqual((await verifyLedger({ postgresUrl, schema, differencesMax: 3 })).differences, []);
  });
});
