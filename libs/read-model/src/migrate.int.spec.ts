import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { migrate, openDatabase, StatementFailed } from './index.ts';
import { testDatabase, type TestDatabase } from './testing.ts';

let database: TestDatabase;
let directory: string;

beforeEach(async () => {
  database = await testDatabase({ url: inject('postgresUrl') });
  directory = await mkdtemp(join(tmpdir(), 'migrations-'));
  await file('0001_things.sql', 'CREATE TABLE things (id text); CREATE INDEX ON things (id);');
});
afterEach(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

describe('migrating', () => {
  test('makes the schema and applies each file once', async () => {
    await migrate(database, directory);
    await file('0002_more.sql', 'ALTER TABLE things ADD COLUMN more text;');
    await migrate(database, directory);
    await migrate(database, directory);
    deepEqual(await applied(), ['0001_things.sql', '0002_more.sql']);
    deepEqual(await database.query({ text: 'SELECT id, more FROM things', values: [] }), []);
  });

  test('by several processes at once applies each file once', async () => {
    const others = [1, 2, 3].map(() =>
      openDatabase({
        url: inject('postgresUrl'),
        schema: database.schema,
        connectionsMax: 1,
      }),
    );
    await Promise.all([database, ...others].map((each) => migrate(each, directory)));
    await Promise.all(others.map((each) => each.stop()));
    deepEqual(await applied(), ['0001_things.sql']);
  });

  test('leaves nothing of a file that fails', async () => {
    await file('0002_wrong.sql', 'CREATE TABLE half (id text); SELECT no_such_function();');
    await rejects(migrate(database, directory), StatementFailed);
    deepEqual(await applied(), ['0001_things.sql']);
    const text = `SELECT to_regclass('half')::text AS half`;
    deepEqual(await database.query({ text, values: [] }), [{ half: null }]);
  });

  test('refuses a file that changed after it was applied', async () => {
    await migrate(database, directory);
    await file('0001_things.sql', 'CREATE TABLE other (id text);');
    await rejects(migrate(database, directory), /0001_things.sql changed after it was applied/);
  });

  test.each(['0003_gap.sql', '0001_twice.sql', 'things.sql'])(
    'refuses the file name %s',
    async (name) => {
      await file(name, 'SELECT 1;');
      await rejects(migrate(database, directory), /expected number/);
      equal((await schemas()).length, 0);
    },
  );
});

const file = (name: string, text: string) => writeFile(join(directory, name), text);

async function applied(): Promise<readonly string[]> {
  const text = 'SELECT name FROM migrations ORDER BY number';
  return (await database.query<{ name: string }>({ text, values: [] })).map(({ name }) => name);
}

const schemas = () =>
  database.query({
    text: 'SELECT 1 FROM pg_namespace WHERE nspname = $1',
    values: [database.schema],
  });
