import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@sluice/clock-and-ids';
import { createEgress, type Egress, parseAllowList } from '@sluice/egress';
import { Fault } from '@sluice/errors';
import { type S3Server, s3ServerKeys, startS3Server } from '@sluice/file-store/testing';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { aByokFact, aFact, aToolFact } from '@sluice/usage-facts/testing';
import { inMemoryFiles } from '@sluice/workspace-files/testing';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, beforeEach, describe, inject, onTestFinished, test } from 'vitest';
import { analyticsSchema } from '../../schema.ts';
import { PostgresExports } from '../../store/postgres/postgres-exports.ts';
import { PostgresStore } from '../../store/postgres/postgres-store.ts';
import { changesOf, now, retention, rowsOf } from '../../store/testing/contract-world.ts';
import { carryOut } from '../carry-out.ts';
import type { ExportJob, NewExport } from '../export-job.ts';
import { ExportJobs } from '../export-jobs.ts';
import { type DestinationCalls, hasBucket } from './find-bucket.ts';
import { writeParts } from './write-parts.ts';

const accountId = 'acct_1';
const uuid = (last: number) => `0190a000-0000-7000-8000-${String(last).padStart(12, '0')}`;
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const wholeDays = { start: '2026-11-10T00:00:00Z', end: '2026-11-19T00:00:00Z' };
const destinationId = uuid(77);
const workspaceId = uuid(7);

let server: S3Server;
let egress: Egress;
let database: TestDatabase;
let store: PostgresStore;
let jobs: ExportJobs;

beforeAll(async () => {
  server = await startS3Server();
  egress = createEgress({ allowList: parseAllowList('127.0.0.1') });
  const { migrations } = analyticsSchema;
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
  store = new PostgresStore({ database, questions: database, retention });
  await store.begin(now);
  const models = Array.from({ length: 600 }, (_, at) => `sim/model-${at}`);
  const facts = models.map((model, at) => aFact({ model, costNanoUsd: BigInt(at) }));
  await store.apply(changesOf([...facts, aByokFact({}), aToolFact({ costNanoUsd: 5_000_000n })]), {
    kind: 'bus',
  });
  jobs = new ExportJobs(database);
});
afterAll(async () => {
  await database?.drop();
  await egress?.stop();
  await server?.stop();
});
beforeEach(async () => {
  await database.query({ text: 'DELETE FROM exports', values: [] });
});

const bucketConfig = () => ({
  bucketName: server.bucket,
  endpoint: server.url,
  ...s3ServerKeys,
  region: 'eu-west-1',
  prefix: '/usage of 2026/../',
});

/** A workspace service with one destination, as it is at the time of each call. */
function destinationsWith(
  config: () => object,
  changes: { readonly type?: string; readonly isGone?: () => boolean } = {},
): DestinationCalls {
  const { type = 's3', isGone = () => false } = changes;
  const destination = {
    destinationId,
    accountId,
    workspaceId,
    type,
    maskedConfig: '{}',
    settings: undefined,
    createdAt: '2026-11-01T00:00:00.000Z',
    updatedAt: '2026-11-01T00:00:00.000Z',
  };
  const usable = { destination, secretId: uuid(78), isBroadcastEnabled: false, usableSince: '' };
  return {
    async listUsable({ accountId: account, workspaceId: workspace }) {
      const isOwn = account === accountId && ['', workspaceId].includes(workspace);
      return { destinations: isOwn && !isGone() ? [usable] : [] };
    },
    async openConfig({ secretId }) {
      if (isGone() || secretId !== uuid(78)) throw new Fault('not_found');
      return { config: JSON.stringify(config()) };
    },
  };
}

const newExport = (last: number, changes: Partial<NewExport> = {}): NewExport => ({
  exportId: uuid(last),
  accountId,
  workspaceId: '',
  actorType: 'management_key',
  actorId: 'a'.repeat(64),
  format: 'parquet',
  destinationId,
  asked: { table: 'facts', time_range: wholeDays },
  askedAt: now,
  ...changes,
});

const writer = (destinations: DestinationCalls) => ({
  source: new PostgresExports(database),
  destinations,
  egress,
  clock: systemClock,
  signal: new AbortController().signal,
  pauseMs: 1,
});

/** A process takes the next job and carries it out. */
async function runNext(owner: number, destinations: DestinationCalls): Promise<ExportJob> {
  const job = await jobs.claim(uuid(owner));
  ok(job, 'there is a job');
  const files = inMemoryFiles(systemClock);
  await carryOut(job, uuid(owner), { ...writer(destinations), jobs, files, logger: quiet });
  const after = await jobs.find(job.accountId, job.exportId);
  ok(after);
  return after;
}

async function names(folder: string): Promise<readonly string[]> {
  const query = new URLSearchParams({ prefix: folder });
  const listed = await fetch(`${server.url}/${server.bucket}?${query.toString()}`);
  return [...(await listed.text()).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = '']) => name);
}

async function read(name: string): Promise<ArrayBuffer> {
  const path = name.split('/').map(encodeURIComponent).join('/');
  return await (await fetch(`${server.url}/${server.bucket}/${path}`)).arrayBuffer();
}

interface Manifest {
  readonly table: string | null;
  readonly columns: readonly string[];
  readonly parts: readonly { readonly name: string; readonly row_count: number }[];
}

describe('an export to a bucket', () => {
  const folder = (last: number) => `usage of 2026/exports/${uuid(last)}/`;
  const creditsOf = async () => {
    const asked = { metrics: ['credits_usage'], time_range: wholeDays };
    const [[spent] = []] = await rowsOf(store, asked);
    return spent;
  };

  test('is a folder of parts, each a whole file, whose rows add up to what a query answers', async () => {
    const job = { ...newExport(1, { format: 'csv' }), attempts: 1 } as ExportJob;
    let counted = 0;
    const onRows = async (rows: number) => void (counted = rows);
    const parts = { ...writer(destinationsWith(bucketConfig)), onRows, partBytes: 20_000 };
    const made = await writeParts(job, parts);
    ok(made.parts > 1, String(made.parts));
    equal(made.location, `s3://${server.bucket}/${folder(1)}`);
    const manifest = JSON.parse(
      Buffer.from(await read(`${folder(1)}manifest.json`)).toString(),
    ) as Manifest;
    deepEqual(
      (await names(folder(1))).toSorted(),
      ['manifest.json', ...manifest.parts.map(({ name }) => name)].map((name) => folder(1) + name),
    );
    const files = await Promise.all(manifest.parts.map(({ name }) => read(folder(1) + name)));
    equal(made.bytes, BigInt(files.reduce((sum, { byteLength }) => sum + byteLength, 0)));
    let [rows, credits] = [0, 0n];
    for (const [at, file] of files.entries()) {
      const [head = '', ...lines] = Buffer.from(file).toString().trimEnd().split('\n');
      deepEqual(head.split(','), manifest.columns);
      equal(lines.length, manifest.parts[at]?.row_count);
      rows += lines.length;
      const column = manifest.columns.indexOf('credits_nano_usd');
      for (const line of lines) credits += BigInt(line.split(',')[column] ?? '');
    }
    equal(rows, counted);
    equal(Number(credits) / 1e9, await creditsOf());
  });

  test('is Parquet', async () => {
    await jobs.add(newExport(9));
    const job = await runNext(901, destinationsWith(bucketConfig));
    deepEqual([job.status, job.parts], ['completed', 1]);
    const file = await read(`${folder(9)}part-00000.parquet`);
    const rows = await parquetReadObjects({ file });
    equal(BigInt(rows.length), job.rows);
    const credits = rows.map((row) => (row['credits_nano_usd'] as bigint | null) ?? 0n);
    equal(Number(credits.reduce((sum, nano) => sum + nano, 0n)) / 1e9, await creditsOf());
  });

  test('of a question is CSV with the names of its columns, also without rows', async () => {
    const asked = { metrics: ['request_count'], dimensions: ['model'], time_range: wholeDays };
    const filters = [{ field: 'model', operator: 'eq', value: 'none' }];
    await jobs.add(newExport(2, { format: 'csv', asked: { ...asked, filters } }));
    const job = await runNext(901, destinationsWith(bucketConfig));
    deepEqual([job.status, job.failure, job.rows, job.parts], ['completed', null, 0n, 1]);
    deepEqual([job.fileId, job.location?.endsWith(`/exports/${uuid(2)}/`)], [null, true]);
    const part = await read(`${folder(2)}part-00000.csv`);
    equal(Buffer.from(part).toString(), 'model,request_count\n');
  });

  test('that is tried again has another folder', async () => {
    await jobs.add(newExport(3));
    await jobs.claim(uuid(901));
    await database.query({
      text: `UPDATE exports SET leased_until = clock_timestamp() - interval '1 second'`,
      values: [],
    });
    const job = await runNext(902, destinationsWith(bucketConfig));
    equal(job.location, `s3://${server.bucket}/usage of 2026/exports/${uuid(3)}-2/`);
  });

  test('fails for a wrong secret, of which nothing is told', async () => {
    await jobs.add(newExport(4));
    const secretAccessKey = 'not-the-secret';
    const config = () => ({ ...bucketConfig(), secretAccessKey });
    const job = await runNext(901, destinationsWith(config));
    deepEqual(
      [job.status, job.failure, job.rows, job.location],
      ['failed', 'The bucket answered with the status 403', null, null],
    );
    equal(
      JSON.stringify(
        await database.query({ text: 'SELECT exports::text FROM exports', values: [] }),
      ).includes(secretAccessKey),
      false,
    );
  });

  test('fails if its destination is deleted meanwhile', async () => {
    await jobs.add(newExport(5));
    const job = await runNext(901, destinationsWith(bucketConfig, { isGone: () => true }));
    equal(job.failure, 'Its destination is deleted, disabled or was just changed');
  });

  test('never goes to an address that is not public', async () => {
    await jobs.add(newExport(6));
    const strict = createEgress();
    onTestFinished(() => strict.stop());
    const job = await jobs.claim(uuid(901));
    ok(job);
    const destinations = destinationsWith(() => ({
      ...bucketConfig(),
      endpoint: server.url.replace('http:', 'https:'),
    }));
    const files = inMemoryFiles(systemClock);
    const parts = { ...writer(destinations), egress: strict, jobs, files, logger: quiet };
    await carryOut(job, uuid(901), parts);
    const after = await jobs.find(accountId, uuid(6));
    equal(after?.status, 'failed');
    match(after?.failure ?? '', /^The bucket cannot be reached: /);
  });
});

describe('a bucket that is away', () => {
  /** Passes requests on to the real server, except the first ones. */
  async function away(requestsMax: number) {
    let requests = 0;
    const proxy = createServer((request, response) => {
      requests += 1;
      if (requests <= requestsMax) return void response.writeHead(503).end('<secret/>');
      request.resume().on('end', () => response.writeHead(200).end());
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await new Promise((resolve) => proxy.once('listening', resolve));
    const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const destinations = destinationsWith(() => ({ ...bucketConfig(), endpoint }));
    return { destinations, requests: () => requests };
  }

  test('for some requests gets the same part again', async () => {
    const { destinations, requests } = await away(3);
    await jobs.add(newExport(7));
    const job = await runNext(901, destinations);
    deepEqual([job.status, job.attempts, job.parts, requests()], ['completed', 1, 1, 5]);
  });

  test('for longer is tried three times, and the export fails with its status', async () => {
    const { destinations, requests } = await away(Infinity);
    await jobs.add(newExport(8));
    const statuses: string[] = [];
    for (const owner of [901, 902, 903]) {
      await database.query({
        text: `UPDATE exports SET leased_until = clock_timestamp() WHERE status = 'running'`,
        values: [],
      });
      statuses.push((await runNext(owner, destinations)).status);
    }
    deepEqual([statuses, requests()], [['running', 'running', 'failed'], 15]);
    const job = await jobs.find(accountId, uuid(8));
    equal(job?.failure, 'The bucket answered with the status 503');
  });
});

test('a destination is one of the workspace, and of type s3', async () => {
  const place = { accountId, workspaceId, destinationId };
  const calls = destinationsWith(bucketConfig);
  equal(await hasBucket(calls, place), true);
  equal(await hasBucket(calls, { ...place, workspaceId: '' }), true);
  equal(await hasBucket(calls, { ...place, workspaceId: uuid(8) }), false);
  equal(await hasBucket(calls, { ...place, accountId: 'acct_2' }), false);
  equal(await hasBucket(calls, { ...place, destinationId: uuid(79) }), false);
  equal(await hasBucket(destinationsWith(bucketConfig, { type: 'webhook' }), place), false);
});
