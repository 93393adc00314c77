import { deepEqual, equal } from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@sluice/read-model';
import { testDatabase } from '@sluice/read-model/testing';
import { describe, inject, onTestFinished, test } from 'vitest';
import { ledgerSchema } from '../schema.ts';
import { gatherStatistics, makePartitions } from './make-partitions.ts';

const { migrations } = ledgerSchema;

async function aDatabase(directory = migrations) {
  const database = await testDatabase({ url: inject('postgresUrl'), migrations: directory });
  onTestFinished(() => database.drop());
  const rows = async (text: string) =>
    (await database.query<{ row: string }>({ text, values: [] })).map(({ row }) => row);
  const insert = (usageId: string, admittedAt: string) =>
    database.query({
      text: `INSERT INTO usage_facts (usage_id, generation_id, request_id, account_id, workspace_id, key_hash, model,
          provider, upstream_id, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost_nano_usd, is_byok,
          streamed, outcome, finish_reason, estimated, admitted_at, completed_at, replica, epoch, sequence)
        VALUES ($1, 'g', 'r', 'acct_1', 'ws_1', 'k', 'm', 'p', '', 1, 0, 1, 0, 5, false, false, 'completed', 'stop',
          false, $2, $2, 'r', 1, 1)`,
      values: [usageId, admittedAt],
    });
  const places = () =>
    rows(`SELECT usage_id || ' ' || regexp_replace(tableoid::regclass::text, '^.*usage_facts_', '') AS row
      FROM usage_facts ORDER BY usage_id`);
  const partitions = () =>
    rows(`SELECT regexp_replace(inhrelid::regclass::text, '^.*usage_facts_', '') AS row FROM pg_inherits
      WHERE inhparent = 'usage_facts'::regclass ORDER BY 1`);
  return { database, insert, places, partitions };
}

const day = new Date('2199-03-30T10:00:00Z');

describe('the partitions of facts', () => {
  test('are days or months, each made once', async () => {
    const { database, partitions } = await aDatabase();
    const make = async (width: 'day' | 'month', now: Date) =>
      await makePartitions(database, { width, now });
    // A pause of more than a week has no partitions.
    equal(await make('day', day), 9);
    equal(await make('day', day), 0);
    equal(await make('month', new Date('2199-04-01T00:00:00Z')), 1);
    equal(await make('day', new Date('2199-04-29T23:00:00Z')), 0);
    await gatherStatistics(database);
    const names = await partitions();
    equal(names.length, 12);
    deepEqual(names.slice(0, 2), ['before', 'p21990323']);
    deepEqual(names.slice(-3), ['p21990331', 'p21990401', 'rest']);
  });

  test('have their statistics gathered seldom, while they grow', async () => {
    const { database, partitions } = await aDatabase();
    await makePartitions(database, { width: 'day', now: day });
    const seldom = await database.query({
      text: `SELECT inhrelid FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'usage_facts'::regclass AND 'autovacuum_analyze_scale_factor=1' = ANY (reloptions)`,
      values: [],
    });
    equal(seldom.length, (await partitions()).length);
  });

  test('are made by one of several ledgers at a time', async () => {
    const { database } = await aDatabase();
    const made = await Promise.all(
      Array.from({ length: 4 }, () => makePartitions(database, { width: 'day', now: day })),
    );
    deepEqual(
      made.toSorted((a, b) => a - b),
      [0, 0, 0, 9],
    );
  });

  test('take the facts of their time from the rest', async () => {
    const { database, insert, places } = await aDatabase();
    await insert('a', '2026-11-18T12:00:00Z');
    await insert('b', '2199-03-30T00:00:00Z');
    await insert('c', '2199-03-31T23:59:59.999999Z');
    await insert('d', '2199-04-01T00:00:00Z');
    deepEqual(await places(), ['a before', 'b rest', 'c rest', 'd rest']);
    await makePartitions(database, { width: 'day', now: day });
    deepEqual(await places(), ['a before', 'b p21990330', 'c p21990331', 'd rest']);
  });
});

test('a ledger of an earlier release keeps its facts, and those of a wrong clock are in the rest', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = (await readdir(migrations)).toSorted();
  for (const file of files.slice(0, 37)) await cp(join(migrations, file), join(folder, file));
  const { database, insert, places, partitions } = await aDatabase(folder);
  await insert('a', '2026-11-18T12:00:00Z');
  await insert('b', '2199-03-30T00:00:00Z');
  await migrate(database, migrations);
  deepEqual(await places(), ['a before', 'b rest']);
  deepEqual(await partitions(), ['before', 'rest']);
  await insert('c', '2026-11-18T13:00:00Z');
  deepEqual(await places(), ['a before', 'b rest', 'c before']);
});
