import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { testForgery } from './forgery.ts';
import { eventually, json, list, manage, raw, streamed, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';

let sluice: Instance;
beforeAll(async () => {
  sluice = await startInstance({ SLUICE_INFERENCE_OPEN_MAX: '1000' }, 'processes');
});
afterAll(() => sluice?.dispose());

const parts = [
  'account',
  'analytics',
  'eventstore',
  'gateway',
  'guardrail',
  'key',
  'ledger',
  'nats',
  'postgres',
  'routing',
  'workspace',
];

const pidOf = async (part: string) =>
  Number(await readFile(join(sluice.dataDirectory, 'run', `${part}.pid`), 'utf8'));

async function ask(input = 'x'): Promise<{ status: number; costNanoUsd: bigint }> {
  const body = { model: 'sim/echo', input };
  const answer = await json(sluice, '/responses', { body }).catch(() => undefined);
  const cost = Number(answer?.body['usage']?.['cost'] ?? 0);
  return { status: answer?.status ?? 0, costNanoUsd: BigInt(Math.round(cost * 1e9)) };
}

const usedNanoUsd = async () => {
  const answer = await manage(sluice, '/credits').catch(() => undefined);
  return Math.round(Number(answer?.body['data']?.['total_usage']) * 1e9);
};

async function receiptsNanoUsd(): Promise<number> {
  const file = join(sluice.dataDirectory, 'simulator', 'receipts.jsonl');
  const receipts = (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { input_tokens: number; output_tokens: number });
  return receipts.reduce(
    (sum, receipt) => sum + receipt.input_tokens * 1000 + receipt.output_tokens * 2000,
    0,
  );
}

interface Proof {
  readonly admitted: number;
  readonly settled: number;
  readonly under_way: number;
  readonly open: { readonly attempts: number; readonly usage_ids: readonly string[] };
  readonly suspense: { readonly attempts: number };
  readonly is_conserved: boolean;
}

async function proof(): Promise<Proof> {
  const { base_url: base, management_key: key } = sluice.bootstrap;
  const response = await fetch(new URL('/proof/conservation', base), {
    headers: { authorization: `Bearer ${key}` },
  });
  equal(response.status, 200);
  return ((await response.json()) as { data: Proof }).data;
}

/** The client of one stream. */
interface Asked {
  /** Some of the answer is there: routing has written down the name that the provider gave it. */
  readonly begun: Promise<void>;
  /** The client knows the end, whatever it is. */
  readonly ended: Promise<void>;
}

const wordsBegun = 10;

function askSlowly(number: number): Asked {
  const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
  const model = number % 2 === 0 ? 'sim/sim-slow-20' : 'sim/chat-sim-slow-20';
  const body = { model, input: `[sim:words-${400 + number}]`, stream: true };
  const read = async () => {
    const response = await raw(sluice, '/responses', { body });
    let text = '';
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString();
      if (text.split('"delta":').length > wordsBegun) resolve();
    }
    throw new Error(`it ended as ${text.slice(0, 2_000)}`);
  };
  return { begun, ended: read().catch(reject) };
}

const askedCount = 30;

describe('what was admitted', () => {
  test('is settled, under way, released or open at every moment, also when routing is killed', async () => {
    const asked = Array.from({ length: askedCount }, (_, number) => askSlowly(number));
    await Promise.all(asked.map(({ begun }) => begun));
    await eventually(proof, ({ open }) => open.attempts === askedCount);
    const pidFile = join(sluice.dataDirectory, 'run', 'routing.pid');
    process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL');
    const seen: Proof[] = [];
    const ended = await eventually(
      async () => {
        const now = await proof();
        seen.push(now);
        return now;
      },
      ({ settled, under_way, open, suspense }) =>
        settled === askedCount && under_way + open.attempts + suspense.attempts === 0,
    );
    await Promise.all(asked.map(({ ended }) => ended));
    ok(seen.length > 2);
    deepEqual(
      seen.filter(({ is_conserved }) => !is_conserved),
      [],
    );
    deepEqual(ended.open.usage_ids, []);
    // Each of those that the kill cut off was corrected to what the provider served.
    await eventually(
      async () => [await usedNanoUsd(), await receiptsNanoUsd()],
      ([used, owed]) => used === owed,
    );
  });
});

describe('the event store of processes', () => {
  testForgery(() => Promise.resolve({ ...sluice, printed: sluice.output() }));
});

describe('each service as a process of its own', () => {
  test('has a pid file for each, of a process that lives', async () => {
    const files = await readdir(join(sluice.dataDirectory, 'run'));
    deepEqual(
      parts.filter((part) => !files.includes(`${part}.pid`)),
      [],
    );
    const pids = await Promise.all(parts.map(pidOf));
    equal(new Set(pids).size, parts.length);
    for (const pid of pids) ok(process.kill(pid, 0));
  });

  test('serves whole and streamed answers, and knows the models', async () => {
    equal((await ask()).status, 200);
    const body = { model: 'sim/echo', input: 'a b c', stream: true };
    const { events, done } = await streamed(await raw(sluice, '/responses', { body }));
    equal(events.at(-1)?.data['type'], 'response.completed');
    ok(done);
    for (const path of ['/models?q=echo&sort=newest', '/models/user', '/model/sim/echo']) {
      const { status, headers } = await json(sluice, path);
      equal(status, 200, path);
      const known = { 'if-none-match': headers.get('etag') ?? '' };
      equal((await json(sluice, path, { headers: known })).status, 304, path);
    }
    equal((await json(sluice, '/model/no/such')).status, 404);
    // A management key is of no workspace.
    equal((await manage(sluice, '/models')).status, 200);
  });

  test('refuses a disabled key within a second', async () => {
    const made = await manage(sluice, '/keys', { body: { name: 'to be disabled' } });
    const key = text(made.body['key']);
    const hash = text(made.body['data']?.['hash']);
    const body = { model: 'sim/echo', input: 'x' };
    equal((await json(sluice, '/responses', { key, body })).status, 200);
    await manage(sluice, `/keys/${hash}`, { method: 'PATCH', body: { disabled: true } });
    await eventually(
      async () => (await json(sluice, '/responses', { key, body })).status,
      (status) => status === 401,
    );
  });

  for (const part of parts)
    test(`goes on after a kill -9 of ${part}, and its books are those of the provider`, async () => {
      const pid = await pidOf(part);
      process.kill(pid, 'SIGKILL');
      await Promise.all(Array.from({ length: 5 }, () => ask('during')));
      await eventually(
        async () => (await pidOf(part).catch(() => pid)) !== pid,
        (restarted) => restarted,
      );
      await eventually(
        async () => (await ask('after')).status,
        (status) => status === 200,
      );
      await eventually(
        async () => [await usedNanoUsd(), await receiptsNanoUsd()],
        ([used, owed]) => used === owed,
      );
    });

  test('after all kills, analytics has what the ledger has', async () => {
    const body = { metrics: ['credits_usage'] };
    await eventually(
      async () => {
        const answer = await manage(sluice, '/analytics/query', { body });
        const [row] = list(answer.body['data']?.['data']);
        const found = Math.round(Number(row?.['credits_usage']) * 1e9);
        return [found, await usedNanoUsd()];
      },
      ([found, used]) => found === used,
    );
  });
});
