import { deepEqual, equal, rejects } from 'node:assert/strict';
import { openDatabase } from '@sluice/read-model';
import { testDatabase } from '@sluice/read-model/testing';
import { aFact } from '@sluice/usage-facts/testing';
import { inject, onTestFinished, test } from 'vitest';
import { analyticsSchema } from '../../schema.ts';
import {
  ask,
  changesOf,
  correctedChange,
  correctionOf,
  now,
  retention,
  rowsOf,
  wholeYear,
} from '../testing/contract-world.ts';
import { afterLeapDay, checkLeapDay } from '../testing/leap-day.ts';
import { storeContract } from '../testing/store-contract.ts';
import { Verifier } from '../../verification/verifier.ts';
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

test('a difference that is planted in a table is named, and there is none after corrections', async () => {
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  const store = new PostgresStore({ database, questions: database, retention });
  await store.begin(now);
  const estimate = aFact({ costNanoUsd: 1_000n });
  const facts = [
    estimate,
    aFact({ accountId: 'acct_2', costNanoUsd: 3n }),
    aFact({ isByok: true }),
  ];
  await store.apply(changesOf(facts), { kind: 'bus' });
  const correction = correctionOf(estimate, { costNanoUsd: 400n, outputTokens: 7n });
  await store.apply(correctedChange(correction), { kind: 'bus' });

  let ofLedger = 0n;
  const ledger = {
    // This ledger has the sums of analytics, and one request more where the test says so.
    async listActivity({ accountId, fromDay }: { accountId: string; fromDay: string }) {
      const startMs = Date.parse(`${fromDay}T00:00:00Z`);
      const part = { startMs, endMs: startMs + 86_400_000 };
      const tables = await store.sumsOf(accountId, part);
      const amounts = tables.at(-1)?.sums.get(startMs) ?? {};
      const row = {
        day: fromDay,
        model: '',
        endpointId: '',
        provider: '',
        workspaceId: '',
        app: '',
        requests: (amounts.requests ?? 0n) + ofLedger,
        inputTokens: amounts.input_tokens ?? 0n,
        outputTokens: amounts.output_tokens ?? 0n,
        reasoningTokens: amounts.reasoning_tokens ?? 0n,
        creditsNanoUsd: amounts.credits_nano_usd ?? 0n,
        byokNanoUsd: amounts.byok_nano_usd ?? 0n,
      };
      return { rows: [row], isLast: true };
    },
  };
  const verifier = new Verifier({ store, ledger, settleMs: 0 });
  const [startMs, endMs] = [Date.parse('2026-11-17'), Date.parse('2026-11-19')];
  const verify = async () => {
    const { differences, compared, next } = await verifier.page(
      { startMs, endMs, accountId: undefined },
      undefined,
    );
    deepEqual([compared, next], [4, undefined]);
    return differences.map(
      (one) =>
        `${one.table} ${one.accountId} ${one.bucket} ${new Date(one.atMs).toISOString().slice(0, 13)} ` +
        `${one.measure} ${one.value} ${one.expected} ${one.expectedOf}`,
    );
  };
  deepEqual(await verify(), []);

  const own = `account = (SELECT id FROM accounts WHERE account_id = 'acct_2')`;
  const plant = async (table: string, change: string) => {
    await database.query({
      text: `UPDATE ${table} SET cached_tokens = coalesce(cached_tokens, 0) ${change} WHERE ${own}`,
      values: [],
    });
  };
  const [row] = await database.query<{ cached: bigint | null }>({
    text: `SELECT cached_tokens AS cached FROM facts WHERE ${own}`,
    values: [],
  });
  const cached = row?.cached ?? 0n;
  const line = (table: string, bucket: string, at: string, of: string) =>
    `${table} acct_2 ${bucket} ${at} cached_tokens ${cached + 1n} ${cached} ${of}`;
  for (const [table, expected] of [
    [
      'facts',
      [
        line('facts', 'day', '2026-11-18T00', 'usage_hour'),
        line('facts', 'hour', '2026-11-18T12', 'usage_hour'),
      ],
    ],
    [
      'usage_hour',
      [
        line('usage_hour', 'day', '2026-11-18T00', 'facts'),
        line('usage_hour', 'hour', '2026-11-18T12', 'facts'),
      ],
    ],
    ['usage_day', [line('usage_day', 'day', '2026-11-18T00', 'facts')]],
    ['usage_day_model', [line('usage_day_model', 'day', '2026-11-18T00', 'facts')]],
  ] as const) {
    await plant(table, '+ 1');
    deepEqual(await verify(), expected);
    await plant(table, '- 1');
  }
  ofLedger = 1n;
  equal(
    (await verify()).filter((each) =>
      each.startsWith('ledger acct_2 day 2026-11-18T00 requests 2 1 facts'),
    ).length,
    1,
  );
  ofLedger = 0n;
  deepEqual(await verify(), []);
});

test('a leap day is a day of its month and week', async () => {
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  const store = new PostgresStore({ database, questions: database, retention });
  await store.begin(afterLeapDay);
  await checkLeapDay(store);
});

test('months and days that are over are rewritten once, without the room of old versions of rows', async () => {
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  const store = new PostgresStore({ database, questions: database, retention });
  await store.begin(now);
  const admittedAt = '2026-10-30T12:00:00.000Z';
  // Each batch updates the rows of the batches before.
  for (let batch = 0; batch < 20; batch += 1) {
    const models = Array.from({ length: 60 }, (_, model) => `model-${model}`);
    await store.apply(changesOf(models.map((model) => aFact({ model, admittedAt }))), {
      kind: 'bus',
    });
  }
  await store.apply(changesOf([aFact()]), { kind: 'bus' });
  const sizes = async () =>
    await database.query<{ name: string; bytes: bigint; file: number }>({
      text: `SELECT part.relname::text AS name, pg_relation_size(part.oid) AS bytes, part.relfilenode::integer AS file
        FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
        WHERE inhparent = 'usage_day'::regclass ORDER BY 1`,
      values: [],
    });
  const asked = { metrics: ['request_count'], dimensions: ['model'], time_range: wholeYear };
  const [before, answer] = [await sizes(), await rowsOf(store, asked)];
  await database.transaction(async (other) => {
    await other.query({ text: 'LOCK TABLE facts_p20261030 IN ACCESS SHARE MODE', values: [] });
    await store.retain(now);
    deepEqual(await sizes(), before);
  });
  await store.retain(now);
  const after = await sizes();
  deepEqual(
    after.map(({ name }) => name),
    ['usage_day_p20261001', 'usage_day_p20261101'],
  );
  equal(Number(after[0]?.bytes) < Number(before[0]?.bytes), true);
  deepEqual(after[1], before[1]);
  await store.retain(now);
  deepEqual(await sizes(), after);
  const rewritten = await database.query<{ name: string }>({
    text: `SELECT indrelid::regclass::text AS name FROM pg_index WHERE indisclustered ORDER BY 1`,
    values: [],
  });
  deepEqual(
    rewritten.map(({ name }) => name),
    ['facts_p20261030', 'usage_day_model_p20261001', 'usage_day_p20261001', 'usage_hour_p20261001'],
  );
  deepEqual(await rowsOf(store, asked), answer);
  // A late fact still finds its row.
  await store.apply(changesOf([aFact({ model: 'model-1', admittedAt })]), { kind: 'bus' });
  const filters = [{ field: 'model', operator: 'eq', value: 'model-1' }];
  deepEqual(await rowsOf(store, { ...asked, filters }), [['model-1', 21]]);
});
