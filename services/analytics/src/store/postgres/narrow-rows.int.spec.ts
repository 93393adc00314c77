import { deepEqual, equal } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrate, openDatabase } from '@sluice/read-model';
import { aFact } from '@sluice/usage-facts/testing';
import { inject, onTestFinished, test } from 'vitest';
import { analyticsSchema } from '../../schema.ts';
import {
  correctedChange,
  correctionOf,
  now,
  retention,
  rowsOf,
} from '../testing/contract-world.ts';
import { PostgresStore } from './postgres-store.ts';

const sql = (text: string) => ({ text, values: [] });
const hostile = `a'"\\{},NULL`;
const dimensions = `'vendor/model:free', 'free', 'key1', 'user_1', 'ws_1', '${hostile.replaceAll("'", "''")}'`;
const calls = `'sim', 'https://a.example', '', 'stop', '', '1K'`;
const columns = 'model, variant, key_hash, user_id, workspace_id, app';
const callColumns = 'provider, origin, country, finish_reason, external_user, context_bucket';
const amounts = `facts, requests, input_tokens, output_tokens, service_nano_usd, upstream_nano_usd, web_nano_usd`;

/** Rows of one fact as the third migration kept them, and another account's. */
const rows = (account: string) => `
  INSERT INTO facts (account_id, day, fact_id, revision, at, generation_id, ${columns}, ${callColumns}, ${amounts},
    latency_ms, latency_count, latency_bin)
  VALUES ('${account}', '2026-11-18', 'gen-${account}/1/1', 0, '2026-11-18T12:00:00Z', 'gen-${account}',
    ${dimensions}, ${calls}, 1, 1, 10, 45, 1000, 1000, 0, 400, 1, 300);
  INSERT INTO usage_hour (account_id, at, row_id, ${columns}, ${callColumns}, ${amounts},
    latency_ms, latency_count, latency_sketch)
  VALUES ('${account}', '2026-11-18T12:00:00Z', md5('${account}')::uuid, ${dimensions}, ${calls},
    1, 1, 10, 45, 1000, 1000, 0, 400, 1, ARRAY[300 * 4294967296 + 1]);
  INSERT INTO usage_day (account_id, at, row_id, ${columns}, ${amounts}, latency_ms, latency_count)
  VALUES ('${account}', '2026-11-18T00:00:00Z', md5('${account}')::uuid, ${dimensions},
    1, 1, 10, 45, 1000, 1000, 0, 400, 1);
  INSERT INTO usage_day_model (account_id, at, row_id, model, variant, ${amounts}, latency_ms, latency_count)
  VALUES ('${account}', '2026-11-18T00:00:00Z', md5('${account}')::uuid, 'vendor/model:free', 'free',
    1, 1, 10, 45, 1000, 1000, 0, 400, 1);`;

async function firstMigrations(count: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = (await readdir(analyticsSchema.migrations)).toSorted().slice(0, count);
  for (const name of names) await cp(join(analyticsSchema.migrations, name), join(folder, name));
  return folder;
}

const shown = async (database: Database, view: string) =>
  await database.query(sql(`SELECT * FROM ${database.schema}_v1.${view} ORDER BY account_id`));

/** A view of an operator does not have the columns that were added later. */
const laterColumns = { data_nano_usd: null, cache_nano_usd: null, data_usd: null, cache_usd: null };

test('rows of the wide tables move, the views stay as they were, and corrections take old rows out', async () => {
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const database = openDatabase({ url: inject('postgresUrl'), schema, connectionsMax: 2 });
  onTestFinished(async () => {
    await database.query(
      sql(`DROP SCHEMA "${schema}" CASCADE; DROP SCHEMA "${schema}_v1" CASCADE`),
    );
    await database.stop();
  });
  await migrate(database, await firstMigrations(3));
  await database.query(
    sql(`SELECT ensure_partition('facts', '2026-11-18T00:00:00Z', '2026-11-19T00:00:00Z');
      SELECT ensure_partition(parent, '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z')
      FROM unnest(ARRAY['usage_hour', 'usage_day', 'usage_day_model']) AS parent;
      INSERT INTO progress (ledger_cursor, facts_from, hours_from, days_from)
      VALUES ('7', '2026-10-18', '2026-09-17T00:00:00Z', '2025-10-14T00:00:00Z');
      CREATE VIEW "${schema}_v1".own AS SELECT * FROM "${schema}_v1".usage_day;
      ${rows('acct_1')} ${rows('acct_2')}`),
  );
  const views = ['usage_hour', 'usage_day', 'own'];
  const before: unknown[] = [];
  for (const view of views) {
    const rows = await shown(database, view);
    before.push(view === 'own' ? rows : rows.map((row) => ({ ...row, ...laterColumns })));
  }

  await migrate(database, analyticsSchema.migrations);

  const after: unknown[] = [];
  for (const view of views) after.push(await shown(database, view));
  deepEqual(after, before);
  const store = new PostgresStore({ database, questions: database, retention });
  await store.begin(now);
  equal(await store.ledgerCursor(), '7');
  const asked = {
    metrics: ['request_count', 'total_usage', 'tokens_total', 'usage_web', 'p50_latency'],
    dimensions: ['app', 'provider'],
  };
  const [[app, provider, requests, usage, tokens, web] = []] = await rowsOf(store, asked);
  deepEqual([app, provider, requests, usage, tokens, web], [hostile, 'sim', 1, 0.000_001, 55, 0]);
  const generation = { metrics: ['request_count'], dimensions: ['generation_id'] };
  deepEqual(await rowsOf(store, generation), [['gen-acct_1', 1]]);

  const estimate = aFact({
    usageId: 'gen-acct_1/1/1',
    generationId: 'gen-acct_1',
    model: 'vendor/model:free',
    app: hostile,
    httpReferer: 'https://a.example/chat',
    outcome: 'interrupted',
    estimated: true,
  });
  const correction = correctionOf(estimate, {
    costNanoUsd: 600n,
    inputTokens: 7n,
    cachedTokens: 0n,
  });
  await store.apply(correctedChange(correction), { kind: 'bus' });
  const sums = { metrics: ['request_count', 'total_usage', 'tokens_prompt'], dimensions: ['app'] };
  deepEqual(await rowsOf(store, sums), [[hostile, 1, 0.000_000_6, 7]]);
  deepEqual((await rowsOf(store, sums, 'acct_2'))[0]?.slice(1), [1, 0.000_001, 10]);
});
