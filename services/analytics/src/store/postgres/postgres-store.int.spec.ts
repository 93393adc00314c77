import { deepEqual, rejects } from 'node:assert/strict';
import { openDatabase } from '@sluice/read-model';
import { testDatabase } from '@sluice/read-model/testing';
import { aFact } from '@sluice/usage-facts/testing';
import { inject, onTestFinished, test } from 'vitest';
import { analyticsSchema } from '../../schema.ts';
import {
  ask,
  changesOf,
  now,
  retention,
  rowsOf,
  storeContract,
} from '../testing/store-contract.ts';
import { PostgresStore } from './postgres-store.ts';

const { migrations } = analyticsSchema;

storeContract(async () => {
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  const store = new PostgresStore({ database, questions: database, retention });
  await store.begin(now);
  return store;
});

test('a question that takes too long is canceled, and says so', async () => {
  const url = inject('postgresUrl');
  const database = await testDatabase({ url, migrations });
  onTestFinished(() => database.drop());
  const { schema } = database;
  const questions = openDatabase({ url, schema, connectionsMax: 1, statementTimeoutMs: 100 });
  onTestFinished(() => questions.stop());
  const store = new PostgresStore({ database, questions, retention });
  await store.begin(now);
  const asked = { metrics: ['request_count'] };
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'LOCK TABLE facts, usage_hour, usage_day_model', values: [] });
    await rejects(ask(store, asked), { code: 'timeout' });
    const waiting = await transaction.query({
      text: `SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'facts'::regclass`,
      values: [],
    });
    deepEqual(waiting, []);
  });
  deepEqual(await rowsOf(store, asked), []);
});

test('names that nobody expects are counted, shown and filtered as they are', async () => {
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  const store = new PostgresStore({ database, questions: database, retention });
  await store.begin(now);
  const names = [
    "'; DROP TABLE facts; --",
    '"',
    '\\',
    '{a,b}',
    'NULL',
    '$1',
    '§',
    '%',
    '_',
    ' ',
    '\u202E',
    '\u{1F600}',
    'a'.repeat(512),
  ];
  await store.apply(changesOf(names.map((app) => aFact({ app }))), { kind: 'bus' });
  await store.apply(changesOf([aFact({ app: 'a\0b\uD800', externalUser: '\0' })]), { kind: 'bus' });
  const metrics = ['request_count'];
  const rows = await rowsOf(store, { metrics, dimensions: ['app'] });
  deepEqual(new Set(rows.map(([app]) => app)), new Set([...names, 'ab\uFFFD']));
  for (const value of names)
    deepEqual(
      await rowsOf(store, {
        metrics,
        filters: Array.from({ length: 20 }, () => ({
          field: 'app',
          operator: 'in',
          value: [value],
        })),
      }),
      [[1]],
      value,
    );
});
