import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { systemClock } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { aByokFact, aFact, aFailure, aToolFact } from '@sluice/usage-facts/testing';
import { contentOf, type FileCalls } from '@sluice/workspace-files';
import { inMemoryFiles } from '@sluice/workspace-files/testing';
import { parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { analyticsSchema } from '../schema.ts';
import { PostgresExports } from '../store/postgres/postgres-exports.ts';
import { PostgresStore } from '../store/postgres/postgres-store.ts';
import {
  changesOf,
  correctedChange,
  correctionOf,
  now,
  retention,
  rowsOf,
} from '../store/testing/contract-world.ts';
import { carryOut, type ExportWorker } from './carry-out.ts';
import type { ExportJob, NewExport } from './export-job.ts';
import { ExportJobs } from './export-jobs.ts';
import { makeFile } from './make-file.ts';

const accountId = 'acct_1';
const uuid = (last: number) => `0190a000-0000-7000-8000-${String(last).padStart(12, '0')}`;
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const wholeDays = { start: '2026-11-10T00:00:00Z', end: '2026-11-19T00:00:00Z' };

let database: TestDatabase;
let store: PostgresStore;
let jobs: ExportJobs;
let files: FileCalls;

beforeEach(async () => {
  const { migrations } = analyticsSchema;
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
  store = new PostgresStore({ database, questions: database, retention });
  await store.begin(now);
  jobs = new ExportJobs(database);
  files = inMemoryFiles(systemClock);
});
afterEach(() => database.drop());

const newExport = (last: number, changes: Partial<NewExport> = {}): NewExport => ({
  exportId: uuid(last),
  accountId,
  workspaceId: '',
  actorType: 'management_key',
  actorId: 'a'.repeat(64),
  format: 'parquet',
  destinationId: null,
  asked: { table: 'facts', time_range: wholeDays },
  askedAt: now,
  ...changes,
});

function worker(changes: Partial<ExportWorker> = {}): ExportWorker {
  const source = new PostgresExports(database);
  const noBucket = () => Promise.reject(new Error('the export is a file'));
  return {
    jobs,
    source,
    files,
    destinations: { listUsable: noBucket, openConfig: noBucket },
    egress: { send: noBucket },
    clock: systemClock,
    logger: quiet,
    signal: new AbortController().signal,
    ...changes,
  };
}

/** A process takes the next job, and carries it out. */
async function runNext(owner: number, changes?: Partial<ExportWorker>): Promise<ExportJob> {
  const job = await jobs.claim(uuid(owner));
  ok(job, 'there is a job');
  await carryOut(job, uuid(owner), worker(changes));
  const after = await jobs.find(job.accountId, job.exportId);
  ok(after);
  return after;
}

async function contentOfFile(fileId: string | null, workspaceId = ''): Promise<Buffer> {
  const asked = { accountId, workspaceId, fileId: fileId ?? '', includesExports: true };
  return Buffer.concat(await Array.fromAsync(contentOf(files, asked)));
}

async function exported(asked: NewExport['asked'], last = 1) {
  await jobs.add(newExport(last, { asked }));
  const { status, failure, fileId, rows, bytes } = await runNext(900);
  deepEqual([status, failure], ['completed', null]);
  const content = await contentOfFile(fileId);
  equal(bytes, BigInt(content.length));
  const file = content.buffer.slice(
    content.byteOffset,
    content.byteOffset + content.length,
  ) as ArrayBuffer;
  const found = await parquetReadObjects({ file });
  equal(rows, BigInt(found.length));
  return found;
}

const sumOf = (rows: readonly Record<string, unknown>[], name: string) =>
  rows.reduce((sum, row) => sum + (row[name] as bigint), 0n);

/** Own credentials, a tool, a repeated answer, a failed request, a correction, an account of others. */
async function someUsage(): Promise<void> {
  const estimate = aFact({ costNanoUsd: 1_001n, isByok: false });
  const facts = [
    estimate,
    aFact({ costNanoUsd: 7n, app: '=cmd', admittedAt: '2026-11-17T23:59:59.999Z' }),
    aFact({ costNanoUsd: 0n, responseCacheSourceId: 'gen-0' }),
    aByokFact({}),
    aToolFact({ costNanoUsd: 5_000_000n, toolType: 'service:web_search' }),
    aFailure({}),
  ];
  await store.apply(changesOf(facts), { kind: 'bus' });
  const correction = correctionOf(estimate, { costNanoUsd: 400n, inputTokens: 2_000n });
  await store.apply(correctedChange(correction), { kind: 'bus' });
  const others = [aFact({ accountId: 'acct_2', costNanoUsd: 99n })];
  await store.apply(changesOf(others), { kind: 'bus' });
}

describe('the rows of an export', () => {
  test.each(['facts', 'usage_hour', 'usage_day'])(
    'of %s add up to what a query answers, and are of one account',
    async (table) => {
      await someUsage();
      const rows = await exported({ table, time_range: wholeDays });
      const metrics = [
        'credits_usage',
        'byok_usage',
        'usage_web',
        'request_count',
        'tokens_prompt',
      ];
      const [answer = []] = await rowsOf(store, { metrics, time_range: wholeDays });
      const sums = [
        'credits_nano_usd',
        'byok_nano_usd',
        'web_nano_usd',
        'requests',
        'input_tokens',
      ];
      deepEqual(
        sums.map((name) => {
          const known = rows.filter((row) => row[name] !== null);
          return Number(sumOf(known, name)) / (name.endsWith('usd') ? 1e9 : 1);
        }),
        answer,
      );
      deepEqual(new Set(rows.map((row) => row['account_id'])), new Set([accountId]));
    },
  );

  test('of a table have the columns that its view has', async () => {
    await store.apply(changesOf([aFact({})]), { kind: 'bus' });
    for (const table of ['usage_hour', 'usage_day']) {
      const columns = await database.query<{ name: string }>({
        text: `SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = current_schema() || '_v1' AND table_name = $1 AND column_name NOT LIKE '%\\_usd'
            OR table_schema = current_schema() || '_v1' AND table_name = $1 AND column_name LIKE '%\\_nano\\_usd'`,
        values: [table],
      });
      const [row] = await exported({ table, time_range: wholeDays }, table.length);
      ok(row);
      const names = Object.keys(row);
      deepEqual(
        columns.map(({ name }) => name).filter((name) => !names.includes(name)),
        [],
      );
    }
  });

  test('are those that its filters pass, with names and an instant', async () => {
    await someUsage();
    const named = { accountId, kind: 'key', entityId: aFact({}).keyHash, email: '' };
    await store.applyNames([{ ...named, name: 'Nightly', namedAt: now.toISOString() }]);
    const filters = [{ field: 'app', operator: 'eq', value: '=cmd' }];
    const rows = await exported({ table: 'facts', time_range: wholeDays, filters });
    deepEqual(
      rows.map((row) => [row['at'], row['key_name'], row['app'], row['credits_nano_usd']]),
      [[new Date('2026-11-17T23:59:59.999Z'), 'Nightly', '=cmd', 7n]],
    );
  });

  test('of a question are those of its answer, with amounts as integers', async () => {
    await someUsage();
    const question = {
      metrics: ['credits_usage', 'request_count', 'cache_hit_rate', 'p50_latency', 'usage_data'],
      dimensions: ['model', 'user'],
      granularity: 'day',
      time_range: wholeDays,
    };
    const rows = await exported(question);
    deepEqual(Object.keys(rows[0] ?? {}), [
      'date__day',
      'model',
      'user',
      'user_email',
      'credits_usage_nano_usd',
      'request_count',
      'cache_hit_rate',
      'p50_latency',
      'usage_data_nano_usd',
    ]);
    deepEqual(
      rows.map((row) => [
        (row['date__day'] as Date).toISOString(),
        row['model'],
        row['user'],
        Number(row['credits_usage_nano_usd']) / 1e9,
        Number(row['request_count']),
        row['cache_hit_rate'],
        row['p50_latency'],
        row['usage_data_nano_usd'],
      ]),
      await rowsOf(store, question),
    );
  });

  test('may be none', async () => {
    deepEqual(await exported({ table: 'usage_day', time_range: wholeDays }), []);
  });
});

describe('a process that dies', () => {
  const die = () =>
    database.query({
      text: `UPDATE exports SET leased_until = clock_timestamp() - interval '1 second' WHERE status = 'running'`,
      values: [],
    });
  const filesThere = async () => {
    const page = { namePart: '', offset: 0, limit: 100, after: '', isAscending: true };
    const asked = { accountId, workspaceId: '', ...page, includesExports: true };
    return (await files.listFiles(asked)).files.map(({ fileId }) => fileId);
  };
  /** Does what a process does until it is killed. */
  async function makeUntilKilled(owner: number, calls: ExportWorker['files']): Promise<void> {
    const job = await jobs.claim(uuid(owner));
    ok(job);
    const onRows = async (rows: number, warnings: readonly string[]) => {
      await jobs.noteRows({ exportId: job.exportId, owner: uuid(owner) }, rows, warnings);
    };
    const { source, signal } = worker();
    await makeFile(job, { source, files: calls, onRows, signal }).catch(() => undefined);
    await die();
  }
  const breaksOff: ExportWorker['files'] = {
    getFile: (asked) => files.getFile(asked),
    async uploadFile(messages) {
      for await (const message of messages) if (message.content.length > 0) break;
      throw new Fault('unavailable');
    },
  };

  test('while it sends the file leaves the job to another one', async () => {
    await someUsage();
    await jobs.add(newExport(1));
    await makeUntilKilled(901, breaksOff);
    const job = await runNext(902);
    deepEqual([job.status, job.attempts, job.rows], ['completed', 2, 5n]);
    deepEqual(await filesThere(), [job.fileId]);
  });

  test('after it has sent the file leaves one file, which the other one finds', async () => {
    await someUsage();
    await jobs.add(newExport(1));
    await makeUntilKilled(901, files);
    const [made] = await filesThere();
    const job = await runNext(902);
    deepEqual([job.status, job.attempts, job.rows, job.fileId], ['completed', 2, 5n, made]);
    deepEqual(await filesThere(), [made]);
  });

  test('again and again ends the job as failed', async () => {
    await jobs.add(newExport(1));
    for (const owner of [901, 902, 903]) await makeUntilKilled(owner, breaksOff);
    const job = await runNext(904);
    equal(job.status, 'failed');
    equal(job.failure, 'The service ended again and again while it made the file');
    equal(await jobs.claim(uuid(905)), undefined);
  });

  test('and lives on does not change the job that another one has', async () => {
    await jobs.add(newExport(1));
    const late = await jobs.claim(uuid(901));
    ok(late);
    await die();
    const other = await jobs.claim(uuid(902));
    ok(other);
    equal(await jobs.renew({ exportId: late.exportId, owner: uuid(901) }), false);
    await carryOut(late, uuid(901), worker());
    const after = await jobs.find(accountId, uuid(1));
    deepEqual([after?.status, after?.attempts], ['running', 2]);
  });

  test('because it is stopped gives the job back, which is no failure', async () => {
    await jobs.add(newExport(1));
    const stopping = new AbortController();
    const hangs: ExportWorker['files'] = {
      getFile: (asked) => files.getFile(asked),
      async uploadFile(messages) {
        for await (const message of messages) if (message.content.length > 0) stopping.abort();
        return await new Promise(() => {});
      },
    };
    const { status, attempts, excused } = await runNext(901, {
      files: hangs,
      signal: stopping.signal,
    });
    deepEqual([status, attempts, excused], ['running', 1, 1]);
    equal((await runNext(902)).status, 'completed');
  });
});

describe('the workspace service', () => {
  const failing = (fault: Fault): ExportWorker['files'] => ({
    getFile: (asked) => files.getFile(asked),
    uploadFile: () => Promise.reject(fault),
  });

  test('says no: the export fails with its reason', async () => {
    await jobs.add(newExport(1));
    const message = 'The workspace has 1000 files, and 1000 are allowed: delete some first';
    const job = await runNext(901, { files: failing(new Fault('conflict', { message })) });
    deepEqual([job.status, job.failure, job.rows], ['failed', message, null]);
  });

  test('is away: the export is tried three times', async () => {
    await jobs.add(newExport(1));
    const statuses: string[] = [];
    for (const owner of [901, 902, 903]) {
      await database.query({
        text: `UPDATE exports SET leased_until = clock_timestamp() WHERE status = 'running'`,
        values: [],
      });
      statuses.push((await runNext(owner, { files: failing(new Fault('unavailable')) })).status);
    }
    deepEqual(statuses, ['running', 'running', 'failed']);
  });
});

describe('the bounds', () => {
  test('an account has five exports under way, and one of them is made at a time', async () => {
    for (const last of [1, 2, 3, 4, 5]) await jobs.add(newExport(last));
    await rejects(jobs.add(newExport(6)), { code: 'conflict' });
    equal((await jobs.add(newExport(5))).exportId, uuid(5));
    await jobs.add(newExport(7, { accountId: 'acct_2' }));
    const claimed = [
      await jobs.claim(uuid(901)),
      await jobs.claim(uuid(902)),
      await jobs.claim(uuid(903)),
    ];
    deepEqual(
      claimed.map((job) => job?.exportId),
      [uuid(1), uuid(7), undefined],
    );
  });

  test('more rows than a file may have fail, and leave no file', async () => {
    const page = Array.from({ length: 10_000 }, () => [1n]);
    async function* pages() {
      for (let count = 0; count < 101; count++) yield await Promise.resolve(page);
    }
    const columns = [{ name: 'requests', kind: 'integer' }] as const;
    await jobs.add(newExport(1, { format: 'csv' }));
    const source = { read: async () => ({ columns, warnings: [], pages: pages() }) };
    const job = await runNext(901, { source });
    equal(job.status, 'failed');
    equal(
      job.failure,
      'It has more than 1000000 rows: export a shorter time_range, or use filters',
    );
  });

  test('the pages are of one moment', async () => {
    await someUsage();
    const { pages } = await new PostgresExports(database).read(accountId, {
      kind: 'table',
      table: 'facts',
      startMs: Date.parse(wholeDays.start),
      endMs: Date.parse(wholeDays.end),
      filters: [],
    });
    let rows = 0;
    for await (const page of pages) {
      if (rows === 0) await store.apply(changesOf([aFact({}), aFact({})]), { kind: 'bus' });
      rows += page.length;
    }
    equal(rows, 5);
  });

  test('an account does not see an export of another one', async () => {
    await jobs.add(newExport(1));
    equal(await jobs.find('acct_2', uuid(1)), undefined);
    deepEqual((await jobs.list('acct_2', { offset: 0, limit: 10 })).rows, []);
    const { rows, totalCount } = await jobs.list(accountId, { offset: 0, limit: 10 });
    deepEqual([rows.map(({ status }) => status), totalCount], [['queued'], 1]);
  });
});
