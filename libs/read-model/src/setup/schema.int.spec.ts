import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@sluice/patience';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { openConnection } from '../connection.ts';
import { type Database, openDatabase, type Schema, schemaOf, SetupMissing } from '../index.ts';
import { plainOwner, type PlainOwner } from '../testing/plain-owner.ts';
import { requireSessions } from './require-sessions.ts';

const sql = (text: string) => ({ text, values: [] });
let directory: string;
let owner: PlainOwner;
let database: Database;
let schema: Schema;
let begun: number;
const told: string[] = [];
const logger = {
  info: () => undefined,
  warn: (message: string) => void told.push(message),
  error: (message: string) => void told.push(message),
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'schema-'));
  await writeFile(
    join(directory, '0001_notes.sql'),
    `CREATE TABLE notes (account_id text NOT NULL, note text NOT NULL);
     INSERT INTO notes VALUES ('org_1', 'one'), ('org_2', 'two');`,
  );
  owner = await plainOwner(inject('postgresUrl'));
  begun = 0;
  told.length = 0;
  open(owner.url);
});
afterEach(async () => {
  await schema.stop();
  await database.stop();
  await owner.drop();
  await rm(directory, { recursive: true });
});

function open(url: string): void {
  database = openDatabase({ url, schema: 'notes', connectionsMax: 2 });
  schema = schemaOf({ database, migrations: directory, logger });
}

const start = () => schema.start(() => void (begun += 1));
const notesOf = (accountId: string) =>
  schema.database.forAccount(accountId).query(sql('SELECT note FROM notes'));

describe('the owner of a database who may make no roles', () => {
  test('is told once what an administrator has to run, waits, and goes on when it was run', async () => {
    await start();
    equal(begun, 0);
    const [reason = ''] = schema.unreadiness();
    match(reason, /^notes waits: the user plain_\w+ may not become the role sluice_tenant/);
    match(reason, /\(sluice doctor --sql\): DO \$\$.*GRANT sluice_tenant TO "plain_\w+";/);
    await rejects(notesOf('org_1'), { code: 'read_model_unavailable' });
    await owner.prepare();
    await eventually(() => equal(begun, 1));
    deepEqual(schema.unreadiness(), []);
    deepEqual(told, [reason]);
    deepEqual(await notesOf('org_1'), [{ note: 'one' }]);
    deepEqual(await notesOf('org_3'), []);
  });

  test('starts at once where that was done before, and the rows are closed to other accounts', async () => {
    await owner.prepare();
    await owner.prepare();
    await start();
    equal(begun, 1);
    deepEqual(await notesOf('org_2'), [{ note: 'two' }]);
  });

  test('may also be one who may make roles, and has made this one, without the right to become it', async () => {
    await owner.asAdministrator(
      `ALTER ROLE "${new URL(owner.url).username}" CREATEROLE; GRANT sluice_tenant TO
         "${new URL(owner.url).username}" WITH ADMIN TRUE, SET FALSE, INHERIT FALSE`,
    );
    await start();
    equal(begun, 1);
    deepEqual(await notesOf('org_1'), [{ note: 'one' }]);
  });

  test('who may not make schemas either is told that', async () => {
    await owner.prepare();
    const name = new URL(owner.url).username;
    await owner.asAdministrator(
      `ALTER DATABASE ${name} OWNER TO CURRENT_USER; REVOKE CREATE ON DATABASE ${name} FROM ${name}`,
    );
    await start();
    match(schema.unreadiness()[0] ?? '', /may not make schemas in the database plain_\w+/);
    await owner.prepare();
    await eventually(() => equal(begun, 1));
  });
});

describe('a schema whose PostgreSQL is away at the start', () => {
  test('waits, says why, and is there when PostgreSQL is', async () => {
    const away = new URL(owner.url);
    away.pathname = '/not_yet';
    await database.stop();
    open(away.href);
    await start();
    deepEqual(schema.unreadiness(), ['notes waits for PostgreSQL (3D000)']);
    const name = new URL(owner.url).username;
    await owner.prepare();
    await owner.asAdministrator(`CREATE DATABASE not_yet OWNER ${name}`);
    try {
      await eventually(() => equal(begun, 1));
      deepEqual(schema.unreadiness(), []);
    } finally {
      await schema.stop();
      await database.stop();
      await owner.asAdministrator('DROP DATABASE not_yet WITH (FORCE)');
    }
  });

  test('throws what no waiting mends', async () => {
    await owner.prepare();
    await writeFile(join(directory, '0002_wrong.sql'), 'SELECT no_such_function()');
    await rejects(start(), /no_such_function/);
    equal(begun, 0);
  });
});

describe('a pooler between us and PostgreSQL', () => {
  const connect = () => openConnection({ url: owner.url, schema: 'notes' });

  test('that gives each client a session of its own is not noticed', async () => {
    await requireSessions({ schema: 'notes', connect });
  });

  test('that gives sessions to others after each transaction is refused with the reason', async () => {
    const sessions = [await connect(), await connect()];
    const free = [...sessions];
    const take = () => free.pop() ?? sessions[0]!;
    const shared: Database['connect'] = async () => ({
      lost: new AbortController().signal,
      close: async () => undefined,
      async query(statement) {
        const session = take();
        const rows = await session.query(statement);
        free.push(session);
        return rows as never;
      },
      async transaction(work) {
        const session = take();
        const result = await session.transaction(work);
        free.push(session);
        return result;
      },
    });
    await rejects(requireSessions({ schema: 'notes', connect: shared }), (error) => {
      match(String(error), /shares sessions between clients \(transaction mode\)/);
      return error instanceof SetupMissing;
    });
    for (const session of sessions) await session.close();
  });

  test('that drops the settings of a connection is refused with the reason', async () => {
    const other = () => openConnection({ url: owner.url, schema: 'public' });
    await rejects(
      requireSessions({ schema: 'notes', connect: other }),
      /drops the settings of a connection/,
    );
  });
});
