import { deepEqual, doesNotMatch, equal, match, ok, rejects } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { eventually, json, list, manage, raw, text } from './http.ts';
import { type Instance, runToExit, startInstance } from './instance.ts';
import { inSecondOrganization } from './organization.ts';
import { sluice as commandLine } from './sluice.ts';

const costNanoUsd = (body: Awaited<ReturnType<typeof json>>['body']) =>
  BigInt(Math.round(Number(body['usage']?.['cost']) * 1e9));

const usedNanoUsd = async (instance: Instance) =>
  BigInt(
    Math.round(Number((await manage(instance, '/credits')).body['data']?.['total_usage']) * 1e9),
  );

interface Receipt {
  readonly id: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

async function receipts(instance: Instance): Promise<readonly Receipt[]> {
  const file = join(instance.dataDirectory, 'simulator', 'receipts.jsonl');
  // The first request makes the file.
  const written = await readFile(file, 'utf8').catch(() => '');
  const lines = written.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Receipt);
}

/** Returns the cost of the receipts at the listed price of sim/echo. */
async function receiptsNanoUsd(instance: Instance): Promise<bigint> {
  const { body } = await json(instance, '/models', { key: null });
  const pricing = list(body['data']).find(({ id }) => text(id) === 'sim/echo')?.['pricing'];
  const nano = (decimal: unknown) => BigInt(Math.round(Number(text(decimal)) * 1e9));
  return (await receipts(instance)).reduce(
    (sum, receipt) =>
      sum +
      BigInt(receipt.input_tokens) * nano(pricing?.['prompt']) +
      BigInt(receipt.output_tokens) * nano(pricing?.['completion']),
    0n,
  );
}

let sluice: Instance;
beforeAll(async () => {
  sluice = await startInstance({
    SLUICE_INFERENCE_OPEN_MAX: '1000',
    SLUICE_INFERENCE_REQUESTS_PER_MINUTE: '10000',
  });
});
afterAll(() => sluice?.dispose());

/** Returns what the provider is owed since this was called, and the same of what was counted for the account. */
async function booksOf(account = sluice) {
  const [owedBefore, usedBefore] = [await receiptsNanoUsd(account), await usedNanoUsd(account)];
  const owed = async () => (await receiptsNanoUsd(account)) - owedBefore;
  const used = async () => (await usedNanoUsd(account)) - usedBefore;
  const agree = () =>
    eventually(
      async () => [await used(), await owed()],
      ([counted, due]) => counted === due,
    );
  return { owed, agree };
}

describe('a process', () => {
  test('that is killed and started again finds its keys and its usage', async () => {
    const books = await booksOf();
    const made = await manage(sluice, '/keys', { body: { name: 'survivor' } });
    const key = text(made.body['key']);
    let sum = 0n;
    for (let asked = 0; asked < 5; asked++) {
      const body = { model: 'sim/echo', input: `request ${asked}` };
      sum += costNanoUsd((await json(sluice, '/responses', { key, body })).body);
    }
    const { api_key: before } = sluice.bootstrap;
    const booksPid = await pidOfBooks();
    await sluice.kill();
    await eventually(
      async () => existsSync(`/proc/${booksPid}`),
      (exists) => !exists,
    );
    sluice = await sluice.restart();
    equal(sluice.bootstrap.api_key, before);
    equal(await books.owed(), sum);
    await books.agree();
    const body = { model: 'sim/echo', input: 'again' };
    const again = await json(sluice, '/responses', { key, body });
    equal(again.status, 200);
    sum += costNanoUsd(again.body);
    equal(await books.owed(), sum);
    await books.agree();
  });

  test('ends with 1 and one sentence, also in the log, when a server that it needs dies, and loses nothing', async () => {
    const books = await booksOf();
    const body = { model: 'sim/echo', input: 'x' };
    equal((await json(sluice, '/responses', { body })).status, 200);
    const pidFile = join(sluice.dataDirectory, 'nats', 'nats-server.pid');
    process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL');
    equal(await sluice.ended(), 1);
    const sentence = 'nats-server ended with SIGKILL: Sluice stops.';
    ok(sluice.output().includes(sentence), sluice.output());
    const log = await readFile(join(sluice.dataDirectory, 'logs', 'sluice.log'), 'utf8');
    ok(log.includes(sentence));
    deepEqual(await processesUsing(sluice.dataDirectory), []);
    sluice = await sluice.restart();
    ok((await books.owed()) > 0n);
    await books.agree();
  });
});

/** The books have a process of their own. */
const pidOfBooks = async () =>
  Number(await readFile(join(sluice.dataDirectory, 'run', 'books.pid'), 'utf8'));

const readiness = async () => await (await fetch(`${sluice.adminUrl}/readyz`)).text();

interface UnusedKey {
  readonly key: string;
  readonly hash: string;
}

interface Used {
  readonly hash: string;
  readonly generationId: string;
  readonly costUsd: unknown;
}

async function anUnusedKey(name: string): Promise<UnusedKey> {
  const { body } = await manage(sluice, '/keys', { body: { name } });
  equal(body['data']?.['last_used_at'], null);
  return { key: text(body['key']), hash: text(body['data']?.['hash']) };
}

async function useOnce({ key, hash }: UnusedKey): Promise<Used> {
  const { status, headers, body } = await json(sluice, '/responses', {
    key,
    body: { model: 'sim/echo', input: 'x' },
  });
  equal(status, 200);
  return {
    hash,
    generationId: text(headers.get('x-generation-id')),
    costUsd: body['usage']?.['cost'],
  };
}

/** Expects that the one use of a key is noted as it was, and counted once. */
async function isNoted({ hash, generationId, costUsd }: Used): Promise<void> {
  const { body } = await eventually(
    () => manage(sluice, `/generation?id=${generationId}`),
    ({ status }) => status === 200,
  );
  const usedAt = body['data']?.['created_at'];
  await eventually(
    async () => (await manage(sluice, `/keys/${hash}`)).body['data'],
    (told) => isDeepStrictEqual([told?.['last_used_at'], told?.['usage']], [usedAt, costUsd]),
  );
}

describe('the process of the books', () => {
  const body = { model: 'sim/echo', input: 'x' };

  test('that is killed again and again is started again, and requests go on', async () => {
    const books = await booksOf();
    const keys = await Promise.all(['first', 'second'].map(anUnusedKey));
    const statuses: number[] = [];
    const killing = new AbortController();
    const client = async () => {
      while (!killing.signal.aborted) {
        statuses.push((await json(sluice, '/responses', { body })).status);
      }
    };
    const clients = Promise.all([client(), client(), client()]);
    const serves = async (more: number) => {
      const before = statuses.length;
      await eventually(
        async () => statuses.length,
        (length) => length > before + more,
      );
    };
    const uses: Used[] = [];
    for (const key of keys) {
      // The account has its leases then.
      await serves(20);
      const pid = await pidOfBooks();
      uses.push(await useOnce(key));
      process.kill(pid, 'SIGKILL');
      await serves(20);
      await eventually(pidOfBooks, (next) => next !== pid);
      await eventually(readiness, (text) => text.includes('"ready"'));
    }
    killing.abort();
    await clients;
    deepEqual(
      statuses.filter((status) => status !== 200),
      [],
    );
    // The gateway connects with the books again within a second.
    await eventually(
      () => manage(sluice, '/credits'),
      ({ status }) => status === 200,
    );
    await books.agree();
    for (const used of uses) await isNoted(used);
    match(await (await fetch(`${sluice.adminUrl}/metrics`)).text(), /^ledger_lag_seconds\{/m);
  });

  test('that hangs is named by the readiness of a gateway that goes on', async () => {
    const books = await booksOf();
    // The account has its leases then.
    equal((await json(sluice, '/responses', { body })).status, 200);
    const pid = await pidOfBooks();
    process.kill(pid, 'SIGSTOP');
    try {
      await eventually(readiness, (text) => text.includes('the books do not answer'));
      equal((await fetch(`${sluice.adminUrl}/readyz`)).status, 200);
      equal((await json(sluice, '/responses', { body })).status, 200);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await eventually(readiness, (text) => text.includes('"ready"'));
    await eventually(
      () => manage(sluice, '/credits'),
      ({ status }) => status === 200,
    );
    await books.agree();
  });

  test('has a bounded heap', async () => {
    const commandLine = await readFile(`/proc/${await pidOfBooks()}/cmdline`, 'utf8');
    ok(commandLine.split('\0').includes('--max-old-space-size=2048'), commandLine);
  });
});

/** disconnects.acceptance.spec.ts lets many leave at once. */
describe('a client that leaves early', () => {
  test('is billed what was served', async () => {
    const books = await booksOf();
    const askedBefore = (await receipts(sluice)).length;
    const leave = new AbortController();
    const body = { model: 'sim/echo', input: '[sim:words-40] [sim:slow-20]', stream: true };
    const response = await raw(sluice, '/responses', { body, signal: leave.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    leave.abort();
    await eventually(
      async () => (await receipts(sluice)).length,
      (count) => count === askedBefore + 1,
    );
    ok((await books.owed()) > 0n);
    await books.agree();
  });
});

describe('an account', () => {
  test('that has no credits is answered 402', async () => {
    const poor = await inSecondOrganization(sluice, '0');
    const body = { model: 'sim/echo', input: 'x' };
    const answer = await json(poor, '/responses', { body });
    equal(answer.status, 402);
    equal(answer.body['error']?.['metadata']?.['reason'], 'credits_exhausted');
    const { data } = (await manage(poor, '/credits')).body;
    deepEqual(data, { total_credits: 0, total_usage: 0 });
  });

  test('with few credits spends no more than it has', async () => {
    const few = await inSecondOrganization(sluice, '0.001');
    const books = await booksOf(few);
    const body = { model: 'sim/echo', input: '[sim:words-30]', max_output_tokens: 60 };
    const ask = async () => (await json(few, '/responses', { body })).status;
    const statuses = await Promise.all(Array.from({ length: 60 }, ask));
    ok(statuses.includes(200) && statuses.includes(402), statuses.join(' '));
    await books.agree();
    const owed = await books.owed();
    ok(owed <= 1_000_000n, `${owed} nano-USD of 1000000`);
  });
});

describe('a running instance', () => {
  test('keeps another from starting in its place, which says so in one sentence and ends with 1', async () => {
    const { dataDirectory } = sluice;
    const port = new URL(sluice.bootstrap.base_url).port;
    const another = join(dataDirectory, 'another');
    const starts = [
      { SLUICE_DATA_DIR: dataDirectory, says: /in use by another Sluice/ },
      { SLUICE_DATA_DIR: another, SLUICE_PORT: port, says: new RegExp(`${port} .*is in use`) },
      {
        SLUICE_DATA_DIR: join(dataDirectory, 'third'),
        SLUICE_PORT: '18080',
        SLUICE_ADMIN_PORT: '18080',
        says: /SLUICE_PORT and SLUICE_ADMIN_PORT are both 18080/,
      },
      { SLUICE_DATA_DIR: '/proc/nothing', says: /\/proc\/nothing/ },
    ];
    const failures = starts.map(async ({ says, ...environment }) => {
      const ports = { SLUICE_PORT: '0', SLUICE_ADMIN_PORT: '0' };
      const { code, output } = await runToExit({ ...ports, ...environment });
      equal(code, 1, output);
      match(output, says);
      ok(!/\bat .*\.ts:\d/.test(output), output);
    });
    await Promise.all(failures);
    const mode = (await stat(join(dataDirectory, 'bootstrap.json'))).mode;
    equal(mode & 0o777, 0o600);
  });
});

/** away-at-start.spec.ts starts such a one again. */
describe('an instance that is stopped', () => {
  test('leaves nothing behind', async () => {
    const connections = join(sluice.dataDirectory, 'run', 'connections.json');
    equal((await stat(connections)).mode & 0o777, 0o600);
    const logs = ['sluice.log', 'books.log'].map((log) => join(sluice.dataDirectory, 'logs', log));
    const ends = await Promise.all(logs.map(async (log) => (await stat(log)).size));
    equal(await sluice.stop(), 0);
    deepEqual(await processesUsing(sluice.dataDirectory), []);
    for (const [index, log] of logs.entries())
      doesNotMatch((await readFile(log)).subarray(ends[index]).toString(), /"stopping /);
    await rejects(access(connections));
    const { code, error } = await commandLine(sluice, ['projections', 'list']);
    equal(code, 1);
    match(error, /^No Sluice runs on /);
  });
});

/** Command lines of processes that name the directory. */
async function processesUsing(directory: string): Promise<readonly string[]> {
  const { readdir } = await import('node:fs/promises');
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.includes(directory));
}
