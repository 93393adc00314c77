import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@sluice/boot';
import { connectEventStore } from '@sluice/eventstore';
import { startEventStoreServer, type EventStoreServer } from '@sluice/eventstore-server';
import { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import { migrate, openDatabase } from '@sluice/read-model';
import { implement, startRpcServer } from '@sluice/rpc';
import { assertPeppers } from '@sluice/key/peppers';
import { keyReadModels } from '@sluice/key/read-models';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { sluice } from '../testing/sluice.ts';
import { ownDatabase } from '../testing/workspaces.ts';

let directory: string;
let server: EventStoreServer;
let postgres: Awaited<ReturnType<typeof ownDatabase>>;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-doctor-'));
  server = await startEventStoreServer({ directory: join(directory, 'log'), port: 0 });
  postgres = await ownDatabase(inject('postgresUrl'));
  env = {
    SLUICE_DATA_DIR: directory,
    SLUICE_EVENTSTORE_URL: server.url,
    SLUICE_POSTGRES_URL: postgres.url,
    SLUICE_NATS_URL: inject('natsUrl'),
    SLUICE_NATS_TOKEN: inject('natsToken'),
  };
});
afterAll(async () => {
  await server.stop();
  await postgres.drop();
  await rm(directory, { recursive: true, force: true });
});

/** Writes the pepper as a local Sluice keeps it. */
async function writePepper(pepper: string): Promise<void> {
  await mkdir(join(directory, 'secrets'), { recursive: true, mode: 0o700 });
  await writeFile(join(directory, 'secrets', 'key-pepper'), pepper, { mode: 0o600 });
}

interface Line {
  readonly check: string;
  readonly state: 'ok' | 'wrong';
  readonly detail: string;
  readonly todo?: string;
}

/** The lines that are wrong. */
async function wrongWith(changes: Readonly<Record<string, string>>): Promise<readonly Line[]> {
  const { code, out, error } = await sluice(['doctor', '--json'], { ...env, ...changes });
  equal(error, '');
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const wrong = lines.filter(({ state }) => state === 'wrong');
  equal(code, wrong.length === 0 ? 0 : 1);
  for (const { todo } of wrong) ok(todo !== undefined && todo.length > 10);
  return wrong.filter(({ check }) => check !== 'same installation');
}

async function theWrongLine(changes: Readonly<Record<string, string>>): Promise<string> {
  const wrong = await wrongWith(changes);
  deepEqual(wrong.length, 1, JSON.stringify(wrong));
  return `${wrong[0]?.check}: ${wrong[0]?.detail}`;
}

describe('the doctor of an installation that has not begun', () => {
  test('finds nothing wrong and says what it looked at, a line each', async () => {
    const { code, out, error } = await sluice(['doctor'], env);
    deepEqual([code, error], [0, '']);
    for (const check of [
      'event store',
      'event store: version',
      'event store: members',
      'event store: append',
      'event store: read \\$all',
      'event store: subscribe',
      'event store: clock',
      'postgres',
      'postgres: rights',
      'postgres: sessions',
      'migrations: account',
      'migrations: ledger',
      'postgres: clock',
      'same installation',
      'key pepper',
      'nats',
      'nats: JetStream',
      'nats: durability',
    ])
      match(out, new RegExp(`^ok +${check} `, 'm'));
    match(out, /\nNothing is wrong\.\n$/);
    ok(!out.includes(new URL(server.url.replace('esdb:', 'http:')).password));
  });

  test('reads the settings of a local Sluice where the environment has none', async () => {
    await mkdir(join(directory, 'run'), { recursive: true, mode: 0o700 });
    const file = join(directory, 'run', 'connections.json');
    const content = {
      postgres_url: env['SLUICE_POSTGRES_URL'],
      eventstore_url: env['SLUICE_EVENTSTORE_URL'],
      nats_url: env['SLUICE_NATS_URL'],
      nats_token: env['SLUICE_NATS_TOKEN'],
    };
    await writeFile(file, JSON.stringify(content), { mode: 0o600 });
    await writePepper('a pepper of a local Sluice, of 32 characters');
    try {
      const { code, out } = await sluice(['doctor'], { SLUICE_DATA_DIR: directory });
      deepEqual([code, out.split('\n').at(-2)], [0, 'Nothing is wrong.']);
    } finally {
      await rm(file);
    }
  });

  test('says which settings are missing', async () => {
    const { code, out } = await sluice(['doctor'], { SLUICE_DATA_DIR: directory });
    equal(code, 1);
    for (const name of ['SLUICE_EVENTSTORE_URL', 'SLUICE_POSTGRES_URL', 'SLUICE_NATS_URL'])
      match(out, new RegExp(`^wrong .*${name}`, 'm'));
  });
});

describe('the doctor', () => {
  test('says that there is no search engine, and that nothing is wrong with that', async () => {
    deepEqual(await wrongWith({}), []);
    const { out } = await sluice(['doctor'], env);
    match(out, /^ok +web search +No search engine is set.*SLUICE_SEARXNG_URL/m);
  });

  test('names the engine that reads PDFs, and checks its settings', async () => {
    const { out } = await sluice(['doctor'], env);
    match(out, /^ok +file parser +MISTRAL_API_KEY is not set/m);
    const key = { MISTRAL_API_KEY: 'key-canary' };
    const { out: keyed } = await sluice(['doctor'], { ...env, ...key });
    match(keyed, /^ok +file parser +PDFs go to mistral-ocr\./m);
    const line = await theWrongLine({ CLOUDFLARE_ACCOUNT_ID: 'mine' });
    match(line, /^file parser: .*CLOUDFLARE_ACCOUNT_ID/);
  });

  test('says where the contents of files lie', async () => {
    const { out } = await sluice(['doctor'], env);
    match(out, /^ok +files +Contents lie on the disk of the workspace service/m);
    const bucket = {
      SLUICE_FILES_S3_BUCKET: 'files',
      SLUICE_FILES_S3_URL: 'http://127.0.0.1:1',
      SLUICE_FILES_S3_ACCESS_KEY_ID: 'id',
      SLUICE_FILES_S3_SECRET_ACCESS_KEY: 'key-canary',
    };
    match(await theWrongLine(bucket), /^files: The bucket of the files does not answer/);
    const { SLUICE_FILES_S3_BUCKET } = bucket;
    match(await theWrongLine({ SLUICE_FILES_S3_BUCKET }), /^files: .*ACCESS_KEY_ID is missing/);
  });

  test('names the engine of the sandbox, or the reason why there is none', async () => {
    const lineWith = async (changes: Readonly<Record<string, string>>) =>
      /^(?:ok|wrong) +sandbox .*$/m.exec(
        (await sluice(['doctor'], { ...env, ...changes })).out,
      )?.[0];
    match((await lineWith({})) ?? '', /^ok .*SLUICE_SANDBOX_ADDRESS is not set/);
    let described = { engine: 'gvisor', description: 'gvisor: a kernel of its own' };
    const unused = () => {
      throw new Error('the doctor only asks for the engine');
    };
    const service = implement(SandboxServiceService, {
      describeEngine: async () => described,
      openContainer: unused,
      checkContainer: unused,
      runCommand: unused,
      listFiles: unused,
      readFile: unused,
      writeFile: unused,
    });
    const token = 'token-of-the-sandbox-canary';
    const sandbox = await startRpcServer({
      address: '127.0.0.1:0',
      token,
      services: [service],
      onBug: () => {},
    });
    const settings = { SLUICE_SANDBOX_ADDRESS: sandbox.address, SLUICE_RPC_TOKEN: token };
    try {
      match((await lineWith(settings)) ?? '', /^ok .*gvisor: a kernel of its own/);
      described = { engine: '', description: 'runsc is not installed' };
      match((await lineWith(settings)) ?? '', /^ok .*No engine: runsc is not installed/);
    } finally {
      await sandbox.stop();
    }
    const line = (await lineWith(settings)) ?? '';
    match(line, /^wrong .*does not answer at 127\.0\.0\.1/);
    doesNotMatch(line, /canary/);
  });

  test('names the search engines, and asks SearXNG', async () => {
    const asked: string[] = [];
    let answer = '{"results":[]}';
    const searxng = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end(answer);
    });
    await once(searxng.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(searxng.address() as AddressInfo).port}`;
    try {
      const settings = { SLUICE_SEARXNG_URL: url, EXA_API_KEY: 'key-canary', EXA_BASE_URL: url };
      const { out } = await sluice(['doctor'], { ...env, ...settings });
      match(
        out,
        /^ok +web search +Searches go to searxng, exa\. Pages are read by Sluice itself, exa\./m,
      );
      deepEqual(
        [asked.length, asked.filter((path) => path.includes('format=json')).length],
        [2, 1],
      );
      const away = { ...settings, EXA_BASE_URL: 'http://127.0.0.1:1' };
      match(await theWrongLine(away), /^web search: exa cannot be reached$/);
      answer = '<html>';
      const line = await theWrongLine(settings);
      match(line, /^web search: searxng: .* invalid answer/);
    } finally {
      searxng.closeAllConnections();
      searxng.close();
    }
    const line = await theWrongLine({ SLUICE_SEARXNG_URL: 'no address' });
    match(line, /^web search: .*SLUICE_SEARXNG_URL/);
  });
});

describe('the doctor names', () => {
  const store = (url: string) => theWrongLine({ SLUICE_EVENTSTORE_URL: url });

  test('a wrong password of the event store', async () =>
    match(
      await store(server.url.replace(/:[^:@]+@/, ':wrong-password@')),
      /^event store: credentials: The event store refuses the user admin or its password/,
    ));

  test('a user that is missing', async () =>
    match(await store(server.url.replace(/\/\/[^@]+@/, '//')), /credentials: .* names no user/));

  test('a CA file that is missing', async () =>
    match(
      await store(server.url.replace(/tlsCAFile=[^&]+/, 'tlsCAFile=/no/such/ca.crt')),
      /The CA file \/no\/such\/ca\.crt of the event store URL cannot be read \(ENOENT\)$/,
    ));

  test('an authority that is not the one', async () =>
    match(
      await store(server.url.replace(/&?tlsCAFile=[^&]+/, '')),
      /is not signed by the authorities of Node.js/,
    ));

  test('a store that is down, and a host that is wrong', async () => {
    match(
      await store('esdb://127.0.0.1:1?tls=false'),
      /Nothing answers at 127\.0\.0\.1:1 \(ECONNREFUSED\)/,
    );
    match(
      await store('esdb://no-such-host.invalid?tls=false'),
      /host of no-such-host\.invalid:2113 is not known/,
    );
  });

  test('PostgreSQL when it is down, and what it refuses', async () => {
    const database = (url: string) => theWrongLine({ SLUICE_POSTGRES_URL: url });
    match(
      await database('postgres://u:p@127.0.0.1:1/sluice'),
      /^postgres: PostgreSQL cannot be used at 127\.0\.0\.1:1\/sluice/,
    );
    match(
      await database(`${inject('postgresUrl')}_none`),
      /^postgres: database ".+_none" does not exist/,
    );
  });

  test('a pooler that refuses the settings of a connection', async () => {
    const refusal = 'unsupported startup parameter: options';
    const fields = `SFATAL\0VFATAL\0C08P01\0M${refusal}\0\0`;
    const answer = Buffer.alloc(5 + fields.length);
    answer.write('E');
    answer.writeInt32BE(4 + fields.length, 1);
    answer.write(fields, 5);
    const pooler = createSocketServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answer));
    });
    await once(pooler.listen(0, '127.0.0.1'), 'listening');
    const { port } = pooler.address() as AddressInfo;
    const url = `postgres://u:p@127.0.0.1:${port}/sluice`;
    const [line] = await wrongWith({ SLUICE_POSTGRES_URL: url });
    match(line?.detail ?? '', /^A pooler at 127\.0\.0\.1:\d+\/sluice refuses the settings/);
    equal(line?.todo, 'name PostgreSQL itself in SLUICE_POSTGRES_URL');
    pooler.close();
  });

  test('NATS when it is down, and when it refuses the token', async () => {
    match(
      await theWrongLine({ SLUICE_NATS_URL: 'nats://127.0.0.1:1' }),
      /^nats: No broker answers/,
    );
    match(
      await theWrongLine({ SLUICE_NATS_TOKEN: 'wrong' }),
      /^nats: The broker at .+ refuses the credentials/,
    );
  });

  test('a schema that is behind, and one whose migrations were changed', async () => {
    const database = openDatabase({ url: postgres.url, schema: 'key', connectionsMax: 2 });
    const change = (text: string) => database.query({ text, values: [] });
    try {
      await migrate(database, keyReadModels.migrations);
      deepEqual(await wrongWith({}), []);
      await change(`UPDATE migrations SET digest = 'other' WHERE number = 2`);
      match(
        await theWrongLine({}),
        /^migrations: key: 0002_\w+\.sql is not the file that was applied/,
      );
      await change('DELETE FROM migrations WHERE number >= 2');
      match(await theWrongLine({}), /^migrations: key: The schema is behind: 1 of \d+ /);
    } finally {
      await change('DROP SCHEMA key CASCADE');
      await database.stop();
    }
  });
});

test('a store that is not the one the read models were made from is named', async () => {
  const database = openDatabase({ url: postgres.url, schema: 'key', connectionsMax: 2 });
  const store = await connectEventStore({ url: server.url });
  try {
    await migrate(database, keyReadModels.migrations);
    const lost = { commit: '9', prepare: '9', id: 'e-9', stream: 'apiKey-1', type: 'ApiKeyIssued' };
    await database.query({
      text: 'UPDATE known_log SET installation = $1::jsonb',
      values: [JSON.stringify(lost)],
    });
    const { code, out } = await sluice(['doctor'], env);
    equal(code, 1);
    match(
      out,
      /^wrong +same installation +key: event_store_diverged: .*event e-9 \(ApiKeyIssued of apiKey-1\)/m,
    );
  } finally {
    await database.query({ text: 'DROP SCHEMA key CASCADE', values: [] });
    await database.stop();
    await store.stop();
  }
});

test('a pepper that the keys were not made under is named, and one that is missing', async () => {
  const database = openDatabase({ url: postgres.url, schema: 'key', connectionsMax: 2 });
  const [right, other] = ['r'.repeat(32), 'o'.repeat(32)];
  try {
    await migrate(database, keyReadModels.migrations);
    const lines = async (changes: Readonly<Record<string, string>>) =>
      (await sluice(['doctor'], { ...env, ...changes })).out;
    match(await lines({ SLUICE_KEY_PEPPER: right }), /^ok +key pepper +Not known yet/m);
    await assertPeppers(database, {
      currentVersion: 2,
      byVersion: new Map([[2, new Secret(right)]]),
    });
    const version = { SLUICE_KEY_PEPPER_VERSION: '2' };
    match(await lines({ ...version, SLUICE_KEY_PEPPER: right }), /^ok +key pepper .*made under/m);
    const wrong = await lines({ ...version, SLUICE_KEY_PEPPER: other });
    match(wrong, /^wrong +key pepper .*another pepper of version 2 than SLUICE_KEY_PEPPER/m);
    equal(wrong.includes(other), false);
    const next = { SLUICE_KEY_PEPPER: right, SLUICE_KEY_PEPPER_PREVIOUS: other };
    match(
      await lines({ ...next, SLUICE_KEY_PEPPER_VERSION: '3' }),
      /^wrong +key pepper .*another pepper of version 2 /m,
    );
    match(await lines({}), /^ok +key pepper +Not compared/m);
  } finally {
    await database.query({ text: 'DROP SCHEMA key CASCADE', values: [] });
    await database.stop();
  }
});

test('a namespace that the read models were not made in is named', async () => {
  const database = openDatabase({ url: postgres.url, schema: 'key', connectionsMax: 2 });
  try {
    await migrate(database, keyReadModels.migrations);
    await database.query({ text: `UPDATE known_log SET namespace = 'sluice'`, values: [] });
    const changed = { ...env, SLUICE_EVENTSTORE_NAMESPACE: 'other' };
    const { code, out } = await sluice(['doctor'], changed);
    equal(code, 1);
    match(
      out,
      /^wrong +same installation .*asks for "other": set SLUICE_EVENTSTORE_NAMESPACE=sluice/m,
    );
    doesNotMatch((await sluice(['doctor'], env)).out, /asks for/);
  } finally {
    await database.query({ text: 'DROP SCHEMA key CASCADE', values: [] });
    await database.stop();
  }
});

test('prints the SQL for an administrator, who may run it again and again, after which nothing is wrong', async () => {
  const name = `plain_${randomBytes(4).toString('hex')}`;
  const admin = openDatabase({ url: postgres.url, schema: 'public', connectionsMax: 1 });
  const asAdmin = (text: string) => admin.query({ text, values: [] });
  const url = new URL(postgres.url);
  await asAdmin(`CREATE ROLE ${name} LOGIN PASSWORD '${name}'`);
  const changes = {
    SLUICE_POSTGRES_URL: Object.assign(url, { username: name, password: name }).href,
  };
  try {
    match(await theWrongLine(changes), /^postgres: rights: The user plain_\w+ may not/);
    const { code, out } = await sluice(['doctor', '--sql'], { ...env, ...changes });
    equal(code, 0);
    await asAdmin(out);
    await asAdmin(out);
    deepEqual(await wrongWith(changes), []);
  } finally {
    await asAdmin(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
    await admin.stop();
  }
});
