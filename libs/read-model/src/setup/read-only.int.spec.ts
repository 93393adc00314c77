import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@sluice/patience';
import { afterEach, beforeEach, inject, test } from 'vitest';
import { openDatabase, schemaOf, type Database, type Schema } from '../index.ts';
import { plainOwner, type PlainOwner } from '../testing/plain-owner.ts';

const sql = (text: string) => ({ text, values: [] });
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const refused = ['PostgreSQL is read-only: notes cannot write'];

let directory: string;
let owner: PlainOwner;
let database: Database;
let schema: Schema;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'read-only-'));
  await writeFile(join(directory, '0001_notes.sql'), 'CREATE TABLE notes (note text NOT NULL);');
  owner = await plainOwner(inject('postgresUrl'));
  await owner.prepare();
  database = openDatabase({ url: owner.url, schema: 'notes', connectionsMax: 2 });
  schema = schemaOf({ database, migrations: directory, logger });
});
afterEach(async () => {
  await schema.stop();
  await database.stop();
  await owner.drop();
  await rm(directory, { recursive: true });
});

const name = () => new URL(owner.url).pathname.slice(1);
const setReadOnly = (value: 'on' | 'off') =>
  owner.asAdministrator(
    `BEGIN READ WRITE;
     ALTER DATABASE ${name()} SET default_transaction_read_only = ${value};
     COMMIT`,
  );
/** A failover ends all sessions. */
const endSessions = () =>
  owner.asAdministrator(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${name()}'`,
  );
const write = () => schema.database.query(sql(`INSERT INTO notes VALUES ('one')`));
const isWritten = () =>
  write().then(
    () => true,
    () => false,
  );

test('a database that is read-only degrades its service, answers reads, and heals by itself', async () => {
  await schema.start(() => undefined);
  await write();
  deepEqual(schema.degradation(), []);
  await setReadOnly('on');
  await endSessions();
  await until(() => Promise.resolve(schema.degradation().length > 0));
  deepEqual(schema.degradation(), refused);
  deepEqual(schema.unreadiness(), []);
  await until(async () => !(await isWritten()));
  await rejects(write(), { code: 'read_model_unavailable' });
  await rejects(
    schema.database.transaction((transaction) =>
      transaction.query(sql(`INSERT INTO notes VALUES ('two')`)),
    ),
    { code: 'read_model_unavailable' },
  );
  equal((await schema.database.query(sql('SELECT note FROM notes'))).length, 1);
  // No session ends now: those that began meanwhile would stay read-only.
  await setReadOnly('off');
  await until(isWritten);
  await Promise.all([write(), write(), write()]);
  await until(() => Promise.resolve(schema.degradation().length === 0));
});

test('a start on a read-only database waits, says why, and goes on when it can write', async () => {
  await setReadOnly('on');
  let begun = 0;
  await schema.start(() => void (begun += 1));
  equal(begun, 0);
  deepEqual(schema.unreadiness(), ['notes waits: PostgreSQL is read-only (25006)']);
  await setReadOnly('off');
  await until(() => Promise.resolve(begun === 1));
  await write();
});
