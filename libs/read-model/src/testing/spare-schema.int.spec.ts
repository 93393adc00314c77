import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished, test } from 'vitest';
import { type TestDatabase, testDatabase } from './test-database.ts';

const views = `CREATE TABLE kept (id integer);
CREATE VIEW each AS SELECT id FROM kept;
DO $$ BEGIN
  EXECUTE format('CREATE SCHEMA %I', current_schema() || '_v1');
  EXECUTE format('ALTER VIEW each SET SCHEMA %I', current_schema() || '_v1');
END $$;`;

test('a schema for the next test has the views beside it, under its name', async () => {
  const migrations = await mkdtemp(join(tmpdir(), 'sluice-spare-'));
  onTestFinished(async () => await rm(migrations, { recursive: true }));
  await writeFile(join(migrations, '0001_views.sql'), views);
  const idOf = async (database: TestDatabase) =>
    await database.query({
      text: `SELECT 'kept'::regclass::oid AS table, '"${database.schema}_v1".each'::regclass::oid AS view`,
      values: [],
    });
  const ids: unknown[] = [];
  for (let each = 0; each < 3; each += 1) {
    const database = await testDatabase({ url: inject('postgresUrl'), migrations });
    ids.push(await idOf(database));
    await database.drop();
  }
  deepEqual(ids[1], ids[0]);
  deepEqual(ids[2], ids[0]);
});
