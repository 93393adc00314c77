import { rejects } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { assertNamespace, migrate } from '../index.ts';
import { testDatabase, type TestDatabase } from '../testing.ts';

let database: TestDatabase;
let directory: string;

beforeEach(async () => {
  database = await testDatabase({ url: inject('postgresUrl') });
  directory = await mkdtemp(join(tmpdir(), 'migrations-'));
  await migrate(database, directory);
});
afterEach(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

const run = (text: string) => database.query({ text, values: [] });

describe('the namespace of read models', () => {
  test('is the one they began with, and another is refused by the name of the setting', async () => {
    await assertNamespace(database, { namespace: 'sluice' });
    await migrate(database, directory);
    await assertNamespace(database, { namespace: 'sluice' });
    await rejects(assertNamespace(database, { namespace: '' }), {
      name: 'AnotherNamespace',
      message: /with "sluice".*asks for no namespace: set SLUICE_EVENTSTORE_NAMESPACE=sluice\./,
    });
  });

  test('is none where they were made before there were namespaces', async () => {
    await run('ALTER TABLE known_log DROP COLUMN namespace');
    await run(`INSERT INTO checkpoints (projection, version, commit_position, prepare_position)
               VALUES ('key.api_keys', 1, 100, 100)`);
    await migrate(database, directory);
    await rejects(assertNamespace(database, { namespace: 'sluice' }), {
      message: /with no namespace.*set SLUICE_EVENTSTORE_NAMESPACE= \(empty\)\./,
    });
    await assertNamespace(database, { namespace: '' });
  });
});
