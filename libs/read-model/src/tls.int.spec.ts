import { deepEqual, ok, rejects } from 'node:assert/strict';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '@sluice/embedded';
import { keepCertificates, type KeyPair } from '@sluice/eventstore-server';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openConnection } from './connection.ts';
import { openDatabase } from './index.ts';

const directories: string[] = [];
let postgres: EmbeddedPostgres | undefined;

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-tls-'));
  directories.push(directory);
  return directory;
}

/** Makes an authority, and a certificate of it for the host. */
async function authorityFor(host: string) {
  const directory = await newDirectory();
  const server = await keepCertificates({ directory, hosts: [host], nowMs: Date.now() });
  return { file: join(directory, 'ca.crt'), server };
}

const localhost = await authorityFor('localhost');
const elsewhere = await authorityFor('postgres.elsewhere.example');

afterAll(async () => {
  await postgres?.stop();
  for (const directory of directories) await rm(directory, { recursive: true });
});

/** Starts PostgreSQL with TLS. ALTER SYSTEM writes settings that the next start reads. */
async function startWithTls({ certificate, privateKey }: KeyPair): Promise<EmbeddedPostgres> {
  const directory = await newDirectory();
  const options = { directory, durability: 'none', onLog: () => undefined } as const;
  const plain = await startPostgres(options);
  const connection = await openConnection({ url: plain.url, schema: 'public' });
  await connection.query({ text: 'ALTER SYSTEM SET ssl = on', values: [] });
  await connection.close();
  await plain.stop();
  const data = join(directory, 'data');
  const { uid, gid } = await stat(data);
  for (const [name, text] of [
    ['server.crt', certificate],
    ['server.key', privateKey],
  ] as const) {
    await writeFile(join(data, name), text, { mode: 0o600 });
    await chown(join(data, name), uid, gid);
  }
  return await startPostgres(options);
}

function urlOf(authority: string): string {
  ok(postgres);
  const url = new URL(postgres.url);
  url.hostname = 'localhost';
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', authority);
  return url.href;
}

const isEncrypted = {
  text: 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
  values: [],
};

const ways = {
  'a connection': async (url: string) => {
    const connection = await openConnection({ url, schema: 'public' });
    try {
      return await connection.query(isEncrypted);
    } finally {
      await connection.close();
    }
  },
  'the pool': async (url: string) => {
    const database = openDatabase({ url, schema: 'public', connectionsMax: 1 });
    try {
      return await database.query(isEncrypted);
    } finally {
      await database.stop();
    }
  },
};

const isRefusedFor = (reason: RegExp) => (error: unknown) => {
  const texts: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) texts.push(cause.message);
  return reason.test(texts.join('\n'));
};

describe('with sslmode=verify-full, of a server with a certificate for the host of the URL', () => {
  beforeAll(async () => {
    postgres = await startWithTls(localhost.server);
  });
  afterAll(async () => {
    await postgres?.stop();
  });

  test.each(Object.entries(ways))('%s is encrypted', async (_, ask) => {
    deepEqual(await ask(urlOf(localhost.file)), [{ ssl: true }]);
  });

  test.each(Object.entries(ways))('%s refuses another authority', async (_, ask) => {
    await rejects(ask(urlOf(elsewhere.file)), isRefusedFor(/certificate/));
  });
});

describe('with sslmode=verify-full, of a server with a certificate for another host', () => {
  beforeAll(async () => {
    postgres = await startWithTls(elsewhere.server);
  });

  test.each(Object.entries(ways))('%s is refused', async (_, ask) => {
    await rejects(
      ask(urlOf(elsewhere.file)),
      isRefusedFor(/does not match certificate's altnames/),
    );
  });
});
