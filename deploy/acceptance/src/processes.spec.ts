import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { eventually, json, list, manage, raw, streamed, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';

let sluice: Instance;
beforeAll(async () => {
  sluice = await startInstance({}, 'processes');
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
