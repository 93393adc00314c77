import { deepEqual, equal, ok } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Principal } from '@sluice/inference-port';
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
