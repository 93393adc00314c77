import { deepEqual, equal, rejects } from 'node:assert/strict';
import { type AskedExport, parseExport } from '@sluice/analytics-model';
import { aFact } from '@sluice/usage-facts/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { Verifier } from '../../verification/verifier.ts';
import type { BatchSource, RowChange } from '../analytics-store.ts';
import { type ClickHouseServer, hasClickHouse, startClickHouse } from '@sluice/testing/clickhouse';
import {
  addUp,
  failing,
  makeClickHouseStore,
  openTestClickHouse,
  sealing,
} from '../testing/clickhouse-stores.ts';
import {
  ask,
  changeOf,
  changesOf,
  correctedChange,
  correctionOf,
  now,
  retention,
  rowsOf,
} from '../testing/contract-world.ts';
import { afterLeapDay, checkLeapDay } from '../testing/leap-day.ts';
import { storeContract } from '../testing/store-contract.ts';
import { ClickHouseExports } from './clickhouse-exports.ts';
import { ClickHouseStore } from './clickhouse-store.ts';

const bus: BatchSource = { kind: 'bus' };
const wholeYear = { start: '2025-11-20T00:00:00Z', end: '2026-11-19T00:00:00Z' };
const sums = ['request_count', 'tokens_total', 'total_usage'];

describe.runIf(hasClickHouse)('a store in ClickHouse', () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await startClickHouse();
  });
  afterAll(async () => {
    await server.stop();
  });

  describe('that answers from facts', () => {
    storeContract(async () => (await makeClickHouseStore(server)).store);
  });

  describe('that answers from sums', () => {
    storeContract(async () => sealing((await makeClickHouseStore(server)).store));
  });

  test('has a leap day as a day of its month and week', async () => {
    await checkLeapDay((await makeClickHouseStore(server, undefined, afterLeapDay)).store);
  });

  test('has no difference between its tables after corrections, late facts and dropped days', async () => {
    const { store } = await makeClickHouseStore(server);
    const estimate = aFact({ costNanoUsd: 1_000n, admittedAt: '2026-11-17T10:00:00.000Z' });
    const old = aFact({ costNanoUsd: 50n, admittedAt: '2026-09-30T10:00:00.000Z' });
    await store.apply(changeOf(estimate), bus);
    await store.apply(changeOf(old), { kind: 'ledger', after: '', next: '1' });
    await addUp(store);
    // The facts of September are gone now.
    await store.apply(correctedChange(correctionOf(old, { costNanoUsd: 40n })), {
      kind: 'ledger',
      after: '1',
      next: '2',
    });
    await store.apply(
      [
        ...correctedChange(correctionOf(estimate, { costNanoUsd: 400n, inputTokens: 20_000n })),
        ...changeOf(aFact({ costNanoUsd: 3n, admittedAt: '2026-11-17T10:30:00.000Z' })),
      ],
      bus,
    );
    const ledger = {
      async listActivity() {
        return { rows: [], isLast: true };
      },
    };
    const verifier = new Verifier({ store, ledger, settleMs: 0 });
    const window = { startMs: Date.parse('2026-09-30'), endMs: Date.parse('2026-11-18') };
    const { differences } = await verifier.page({ ...window, accountId: undefined }, undefined);
    deepEqual(
      differences.filter(({ table }) => table !== 'ledger'),
      [],
    );
    deepEqual(
      await rowsOf(store, {
        metrics: ['total_usage', 'request_count'],
        granularity: 'day',
        dimensions: ['model'],
        time_range: wholeYear,
      }),
      [
        ['2026-11-17T00:00:00.000Z', 'sim/small', 0.000_000_403, 2],
        ['2026-09-30T00:00:00.000Z', 'sim/small', 0.000_000_04, 1],
      ],
    );
  });

  describe('whose process is killed', () => {
    const estimate = aFact({ costNanoUsd: 1_000n, admittedAt: '2026-11-17T10:00:00.000Z' });
    const corrected = correctionOf(estimate, { costNanoUsd: 400n, inputTokens: 20_000n });
    const batches: readonly (readonly [RowChange[], BatchSource])[] = [
      [changeOf(estimate), bus],
      [correctedChange(corrected), bus],
      [
        [...changeOf(estimate), ...changeOf(aFact({ admittedAt: '2026-11-16T10:00:00.000Z' }))],
        { kind: 'ledger', after: '', next: '1' },
      ],
      [correctedChange(corrected), { kind: 'ledger', after: '1', next: '2' }],
    ];
    const places = ['write facts', 'write fact_names', 'sum usage_hour', 'sum usage_day'];

    test.each(places)('at “%s”, has the sums of all facts once they came again', async (place) => {
      for (const when of ['before', 'after'] as const) {
        const { store, other } = await makeClickHouseStore(server);
        for (const [changes, source] of batches) {
          const dying = other((one) =>
            failing(one, (statement, at) => statement === place && at === when),
          );
          await dying.apply(changes, source).catch(() => undefined);
          // A bus delivers again. The ledger is read from its cursor.
          const isMoved = source.kind === 'ledger' && (await store.ledgerCursor()) === source.next;
          if (!isMoved) await store.apply(changes, source);
          await addUp(store);
        }
        const expected = [[2, 20_050, 0.000_001_4]];
        deepEqual(await rowsOf(store, { metrics: sums }), expected, when);
        deepEqual(
          await rowsOf(store, { metrics: sums, time_range: wholeYear, filters: [] }),
          expected,
          when,
        );
      }
    });

    test('after a fact of an ended hour is written, has its hour added up by the next process', async () => {
      const { store, other, database } = await makeClickHouseStore(server);
      await store.apply(changeOf(estimate), bus);
      await addUp(store);
      const dying = other((one) => failing(one, (statement) => statement === 'write fact_names'));
      await rejects(dying.apply(correctedChange(corrected), bus), /killed/);
      // Nothing is delivered again: only the mark is left.
      await database.query({
        text: `UPDATE clickhouse_recounts SET made_at = made_at - interval '1 hour'`,
        values: [],
      });
      await addUp(store);
      deepEqual(await rowsOf(store, { metrics: ['total_usage'] }), [[0.000_000_4]]);
      deepEqual(await database.query({ text: 'SELECT FROM clickhouse_recounts', values: [] }), []);
    });

    test('within a batch of the ledger, drops no facts, and asks for that batch again', async () => {
      const { store, other } = await makeClickHouseStore(server);
      const fact = aFact({ admittedAt: '2026-10-01T12:00:00.000Z' });
      const dying = other((one) => failing(one, (statement) => statement === 'write fact_names'));
      const source = { kind: 'ledger', after: '', next: '1' } as const;
      await rejects(dying.apply(changeOf(fact), source), /killed/);
      await addUp(store);
      const name = {
        factIds: [fact.usageId],
        revision: 0,
        day: '2026-10-01',
        countedAtMs: undefined,
      };
      equal(await store.hasFacts([name]), false);
      await store.apply(changeOf(fact), source);
      await addUp(store);
      deepEqual(await rowsOf(store, { metrics: ['request_count'], time_range: wholeYear }), [[1]]);
    });
  });

  test('has the same sums with two replicas that write at once', async () => {
    const { store, other } = await makeClickHouseStore(server);
    const replica = other();
    const facts = Array.from({ length: 16 }, (_, index) =>
      aFact({ admittedAt: `2026-11-1${index % 8}T10:00:00.000Z` }),
    );
    await addUp(store);
    const batches = [facts.slice(0, 8), facts.slice(4, 12), facts.slice(8)];
    await Promise.all([
      ...batches.map((batch) => store.apply(changesOf(batch), bus)),
      ...batches.toReversed().map((batch) => replica.apply(changesOf(batch), bus)),
      addUp(replica),
    ]);
    await addUp(store);
    deepEqual(await rowsOf(store, { metrics: ['request_count'], time_range: wholeYear }), [[16]]);
  });

  test('begins twice, in two processes at once, and anew in another database', async () => {
    const { store, other, database } = await makeClickHouseStore(server);
    await store.apply(changeOf(aFact()), { kind: 'ledger', after: '', next: '1' });
    await Promise.all([other().begin(now), other().begin(now)]);
    equal(await store.ledgerCursor(), '1');
    const emptied = new ClickHouseStore({
      clickHouse: openTestClickHouse(server),
      database,
      retention,
      questionMsMax: 30_000,
    });
    await emptied.begin(now);
    equal(await emptied.ledgerCursor(), '');
    deepEqual(await rowsOf(emptied, { metrics: ['request_count'] }), []);
  });

  test('counts, shows and filters names that nobody expects as they are', async () => {
    const { store } = await makeClickHouseStore(server);
    const names = [
      "'; DROP TABLE facts; --",
      '"',
      '\\',
      '\\N',
      "\\'",
      '{p1:String}',
      '{a,b}',
      'NULL',
      '?',
      '%',
      ' ',
      '\u202E',
      '\u{1F600}',
      'a'.repeat(512),
    ];
    await store.apply(changesOf(names.map((app) => aFact({ app }))), bus);
    const metrics = ['request_count'];
    const rows = await rowsOf(store, { metrics, dimensions: ['app'] });
    deepEqual(new Set(rows.map(([app]) => app)), new Set(names));
    for (const value of names) {
      const filter = { field: 'app', operator: 'in', value: [value] };
      const filters = [filter, { field: 'app', operator: 'eq', value }];
      deepEqual(await rowsOf(store, { metrics, filters }), [[1]], value);
    }
    const value = Array.from({ length: 1_000 }, (_, index) => `${'é'.repeat(500)}${index}`);
    const filters = [{ field: 'app', operator: 'not_in', value }];
    deepEqual(await rowsOf(store, { metrics, filters }), [[names.length]]);
  });

  test('exports the same rows whether they are added up or not, with names and all digits', async () => {
    const { store, clickHouse, database } = await makeClickHouseStore(server);
    const fact = aFact({
      costNanoUsd: 9_007_199_254_740_993n,
      admittedAt: '2026-11-17T10:30:00.000Z',
    });
    await store.apply(changesOf([fact, aFact({ admittedAt: '2026-11-18T12:00:00.000Z' })]), bus);
    await store.applyNames([
      {
        accountId: 'acct_1',
        kind: 'key',
        entityId: fact.keyHash,
        name: 'Nightly',
        email: '',
        namedAt: now.toISOString(),
      },
    ]);
    const source = new ClickHouseExports({ clickHouse, database });
    const rowsOfExport = async (asked: AskedExport) => {
      const parsed = parseExport(asked, now);
      if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
      const { columns, pages } = await source.read('acct_1', parsed.request);
      const rows: unknown[] = [];
      for await (const page of pages)
        for (const row of page)
          rows.push(
            [
              'at',
              'hour',
              'day',
              'key_name',
              'service_nano_usd',
              'request_count',
              'total_usage_nano_usd',
              'web_nano_usd',
            ]
              .map((name) => row[columns.findIndex((one) => one.name === name)])
              .filter((cell) => cell !== undefined),
          );
      return rows;
    };
    const time_range = { start: '2026-11-17T00:00:00Z', end: '2026-11-18T00:00:00Z' };
    for (const step of ['facts', 'sums']) {
      const at = Date.parse(fact.admittedAt);
      const shown = ['Nightly', fact.costNanoUsd, null];
      deepEqual(await rowsOfExport({ table: 'facts', time_range }), [[at, ...shown]], step);
      deepEqual(
        await rowsOfExport({ table: 'usage_hour', time_range }),
        [[at - 1_800_000, ...shown]],
        step,
      );
      deepEqual(
        await rowsOfExport({ table: 'usage_day', time_range }),
        [[at - 37_800_000, ...shown]],
        step,
      );
      deepEqual(
        await rowsOfExport({ metrics: ['request_count', 'total_usage'], time_range }),
        [[1n, fact.costNanoUsd]],
        step,
      );
      await addUp(store);
    }
  });

  test('warns of a key that the account does not have', async () => {
    const { store } = await makeClickHouseStore(server);
    const named = { accountId: 'acct_1', kind: 'key', email: '', namedAt: now.toISOString() };
    await store.applyNames([{ ...named, entityId: 'a'.repeat(64), name: 'Nightly' }]);
    const filters = [
      { field: 'api_key_id', operator: 'in', value: ['a'.repeat(64), 'b'.repeat(64)] },
    ];
    const { warnings } = await ask(store, { metrics: ['request_count'], filters });
    deepEqual(warnings, [`filters: the account has no key ${'b'.repeat(64)}`]);
  });
});
