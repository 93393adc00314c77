import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { migrate, openDatabase, StatementFailed } from './index.ts';
import { testDatabase, type TestDatabase } from './testing.ts';

const url = inject('postgresUrl');
const sql = (text: string) => ({ text, values: [] });
let directory: string;
let database: TestDatabase;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'account-queries-'));
  await writeFile(
    join(directory, '0001_notes.sql'),
    `CREATE TABLE notes (account_id text NOT NULL, note text NOT NULL);
     CREATE TABLE secrets (secret text NOT NULL);
     INSERT INTO notes VALUES ('org_1', 'one'), ('org_2', 'two'), ('', 'nobody’s');
     INSERT INTO secrets VALUES ('a secret');`,
  );
  database = await testDatabase({ url, migrations: directory });
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

const all = sql('SELECT note FROM notes ORDER BY note');
const refused = (sqlState: string) => (error: unknown) =>
  error instanceof StatementFailed && error.sqlState === sqlState;

describe('what is asked for an account', () => {
  test('has its rows and no others, whatever the statement asks for', async () => {
    deepEqual(await database.forAccount('org_1').query(all), [{ note: 'one' }]);
    deepEqual(await database.forAccount('org_2').query(all), [{ note: 'two' }]);
    deepEqual(await database.forAccount('org_3').query(all), []);
    const other = `SELECT note FROM notes WHERE account_id = 'org_2' OR true`;
    deepEqual(await database.forAccount('org_1').query(sql(other)), [{ note: 'one' }]);
  });

  test('is the text that it is', async () => {
    for (const accountId of [`org_1' OR true --`, '%', 'org_1\\'])
      deepEqual(await database.forAccount(accountId).query(all), []);
  });

  test('has nothing of tables that say of no row whose it is', async () => {
    const accounts = database.forAccount('org_1');
    await rejects(accounts.query(sql('SELECT secret FROM secrets')), refused('42501'));
    await rejects(accounts.query(sql('SELECT * FROM checkpoints')), refused('42501'));
  });

  test('changes nothing', async () => {
    const accounts = database.forAccount('org_1');
    for (const text of [
      `INSERT INTO notes VALUES ('org_1', 'more')`,
      `UPDATE notes SET account_id = 'org_1'`,
      'DELETE FROM notes',
    ])
      await rejects(accounts.query(sql(text)), refused('42501'));
    equal((await database.query(all)).length, 3);
  });

  test('leaves the connection as it was, also when it fails', async () => {
    const single = openDatabase({ url, schema: database.schema, connectionsMax: 1 });
    try {
      const who = sql(
        `SELECT current_user AS who, current_setting('sluice.account_id', true) AS of`,
      );
      const [before] = await single.query<{ who: string }>(who);
      await single.forAccount('org_1').query(all);
      await rejects(single.forAccount('org_1').query(sql('SELECT 1/0')), refused('22012'));
      const [after] = await single.query<{ who: string; of: string | null }>(who);
      equal(after?.who, before?.who);
      ok(!after?.of);
      equal((await single.query(all)).length, 3);
      deepEqual(await single.forAccount('org_2').query(all), [{ note: 'two' }]);
    } finally {
      await single.stop();
    }
  });

  test('stays apart when many ask at once over few connections', async () => {
    const asked = Array.from({ length: 300 }, async (_, index) => {
      const accountId = `org_${(index % 3) + 1}`;
      const rows = await database.forAccount(accountId).query<{ note: string }>({
        name: 'all-notes',
        ...all,
      });
      return [accountId, rows.map(({ note }) => note)] as const;
    });
    const expected = new Map([
      ['org_1', ['one']],
      ['org_2', ['two']],
      ['org_3', []],
    ]);
    for (const [accountId, notes] of await Promise.all(asked))
      deepEqual(notes, expected.get(accountId));
  });
});

describe('a table that a later migration makes', () => {
  test('is closed as well, and so is an older one that gets an account id', async () => {
    await writeFile(
      join(directory, '0002_more.sql'),
      `CREATE TABLE more (account_id text NOT NULL);
       INSERT INTO more VALUES ('org_1'), ('org_2');
       ALTER TABLE secrets ADD COLUMN account_id text NOT NULL DEFAULT 'org_2';`,
    );
    await migrate(database, directory);
    await migrate(database, directory);
    const of = (accountId: string, table: string) =>
      database.forAccount(accountId).query(sql(`SELECT account_id FROM ${table}`));
    deepEqual(await of('org_1', 'more'), [{ account_id: 'org_1' }]);
    deepEqual(await of('org_1', 'secrets'), []);
    deepEqual(await of('org_2', 'secrets'), [{ account_id: 'org_2' }]);
  });
});

describe('what is read in pages for an account', () => {
  const read = (accountId: string, text: string, rows = 2) =>
    database.pagesOf<{ n: number }>(accountId, { statements: [sql(text)], rows });

  test('has the rows of that account, so many at a time', async () => {
    const text = 'SELECT length(note) AS n FROM notes, generate_series(1, 5)';
    const pages = await Array.fromAsync(read('org_1', text));
    deepEqual(
      pages.map(({ length }) => length),
      [2, 2, 1],
    );
    deepEqual(await Array.fromAsync(read('org_3', text)), []);
    const two = { statements: [sql('SELECT 1 AS n'), sql('SELECT 2 AS n')], rows: 1 };
    deepEqual(await Array.fromAsync(database.pagesOf('org_1', two)), [[{ n: 1 }], [{ n: 2 }]]);
    await rejects(
      Array.fromAsync(read('org_1', 'SELECT 1 AS n FROM checkpoints')),
      refused('42501'),
    );
  });

  test('gives its connection back when the reader leaves, or a page fails', async () => {
    const one = openDatabase({ url, schema: database.schema, connectionsMax: 1 });
    const text = 'SELECT n FROM generate_series(1, 100) AS n';
    const asked = { statements: [sql(text), sql(text)], rows: 2 };
    for await (const page of one.pagesOf('org_1', asked)) {
      deepEqual(page, [{ n: 1 }, { n: 2 }]);
      break;
    }
    const failing = {
      statements: [sql('SELECT 1 / (3 - n) AS n FROM generate_series(1, 9) AS n')],
      rows: 1,
    };
    await rejects(Array.fromAsync(one.pagesOf('org_1', failing)), refused('22012'));
    const [row] = await one.query<{ role: string }>(sql('SELECT current_user AS role'));
    ok(row && row.role !== 'sluice_tenant');
    await one.stop();
  });
});
