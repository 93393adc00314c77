import { deepEqual, equal, ok } from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@sluice/read-model';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { connectionsOf } from './connections.ts';
import { eventually, raw, text, type Call } from './http.ts';
import { type Instance, startInstance } from './instance.ts';
import { foundIn, foundInText } from './secret-search.ts';

let sluice: Instance;
beforeAll(async () => {
  sluice = await startInstance();
});
afterAll(() => sluice?.dispose());

/** Everything that must be found nowhere, by what it is. */
const secrets = new Map<string, string>();
/** Everything that was answered, except the one answer that shows a new key. */
const answers: string[] = [];

const random = () => randomBytes(30).toString('base64url');
function secret(name: string, value: string): string {
  secrets.set(name, value);
  return value;
}

/** Asks as an administrator unless another key is given. The answer is kept for the search. */
async function ask(path: string, call: Call = {}): Promise<{ status: number; json: unknown }> {
  const key = call.key === undefined ? sluice.bootstrap.management_key : call.key;
  const response = await raw(sluice, path, { ...call, key });
  const body = await response.text();
  answers.push(`${JSON.stringify([...response.headers])} ${body}`);
  return { status: response.status, json: body === '' ? null : (JSON.parse(body) as unknown) };
}
const dataOf = (json: unknown) => (json as { data: Record<string, unknown> }).data;

/** A new key: its secret is in that one answer. */
async function issue(name: string): Promise<{ hash: string; key: string }> {
  const response = await raw(sluice, '/keys', {
    key: sluice.bootstrap.management_key,
    headers: { 'idempotency-key': random() },
    body: { name },
  });
  const { data, key } = (await response.json()) as { data: { hash: string }; key: string };
  return { hash: data.hash, key: secret(`the key ${name}`, key) };
}

function serviceAccount(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  for (const [index, line] of pem.split('\n').slice(1, -2).entries())
    if (line.length === 64) secret(`line ${index} of a service account`, line);
  return JSON.stringify({
    type: 'service_account',
    project_id: 'our-project',
    private_key: pem,
    client_email: 'sluice@our-project.iam.gserviceaccount.com',
  });
}

async function whatSucceeds(marker: string): Promise<string> {
  const { hash, key } = await issue(marker);
  equal((await ask('/responses', { key, body: { model: 'sim/echo', input: 'hi' } })).status, 200);
  equal((await ask('/key', { key })).status, 200);
  const supplied = secret('a supplied key', random());
  const external = { user: 'customer-7', api_key: supplied };
  equal((await ask('/keys', { body: { name: 'external', external } })).status, 201);
  equal((await ask('/key', { key: supplied })).status, 200);
  const add = async (name: string, provider: string, credential: string) => {
    const { status, json } = await ask('/byok', {
      headers: { 'idempotency-key': random() },
      body: { provider, key: credential, name },
    });
    equal(status, 201, name);
    return text(dataOf(json)['id']);
  };
  const kept = await add('kept', 'openai', secret('a credential', `sk-${random()}`));
  const apiKey = secret('a credential of azure', random());
  await add('azure', 'azure', JSON.stringify([{ api_key: apiKey, resource_name: 'ours' }]));
  await add('vertex', 'google-vertex', serviceAccount());
  const gone = await add('gone', 'anthropic', secret('a deleted credential', `sk-${random()}`));
  const next = secret('a rotated credential', `sk-${random()}`);
  equal((await ask(`/byok/${kept}`, { method: 'PATCH', body: { key: next } })).status, 200);
  equal((await ask(`/byok/${gone}`, { method: 'DELETE' })).status, 200);
  for (const path of ['/byok', `/byok/${kept}`, '/keys', `/keys/${hash}`])
    equal((await ask(path)).status, 200);
  await eventually(
    () => ask(`/keys/${hash}`),
    ({ json }) => dataOf(json)['last_used_at'] !== null,
  );
  return hash;
}

async function whatIsRefused(): Promise<void> {
  const lost = (name: string) => secret(name, `sk-${random()}`);
  const refused: readonly (readonly [number, string, Call])[] = [
    [400, '/byok', { body: { provider: 'azure', key: lost('no JSON') } }],
    [400, '/byok', { body: { provider: 'google-vertex', key: `{"a":"${lost('half JSON')}` } }],
    [400, '/byok', { body: { provider: 'openai', key: `${lost('two')} ${lost('words')}` } }],
    [400, '/byok', { body: { provider: 'nobody', key: lost('nobody’s') } }],
    [400, '/byok', { body: { provider: 'openai', key: [lost('a list')] } }],
    [400, '/byok', { body: { provider: 'openai', key: lost('more'), more: lost('a field') } }],
    [400, '/byok', { body: `{"provider":"openai","key":"${lost('broken')}` }],
    [403, '/byok', { key: sluice.bootstrap.api_key, body: { key: lost('a wrong kind') } }],
    [401, '/byok', { key: lost('an unknown caller'), body: { key: lost('unknown') } }],
    [401, '/key', { key: `sk-sluice-v1-${lost('a mistyped caller')}` }],
    [413, '/byok', { body: { key: `${lost('too much')}${'x'.repeat(2 ** 21)}` } }],
    [400, `/byok?provider=${lost('a query')}`, {}],
    [404, `/byok/${lost('a path')}`, {}],
    [400, '/keys', { body: { name: 'x', external: { user: 'u', api_key: `${lost('weak')} x` } } }],
  ];
  for (const [status, path, call] of refused)
    equal((await ask(path, call)).status, status, `${path} ${JSON.stringify(call)}`);
}

/** Tables that are away make what stands on them fail in the middle. */
async function whatFails(): Promise<void> {
  const { postgres_url: url } = await connectionsOf(sluice);
  const database = openDatabase({ url, schema: 'key', connectionsMax: 1 });
  const rename = (from: string, to: string) =>
    database.query({ text: `ALTER TABLE ${from} RENAME TO ${to}`, values: [] });
  try {
    for (const table of ['byok_secrets', 'issue_attempts']) await rename(table, `${table}_away`);
    const credential = secret('a credential in a failure', `sk-${random()}`);
    const api_key = secret('a supplied key in a failure', random());
    const failed = [
      await ask('/byok', { body: { provider: 'openai', key: credential } }),
      await ask('/keys', { body: { name: 'x', external: { user: 'u', api_key } } }),
    ];
    for (const { status } of failed) ok(status >= 500, `status ${status}`);
    for (const table of ['byok_secrets', 'issue_attempts']) await rename(`${table}_away`, table);
  } finally {
    await database.stop();
  }
}

describe('secrets', () => {
  test('are found nowhere: in no log, no store, no table, no message and no answer', async () => {
    const { management_key: managementKey, api_key: apiKey } = sluice.bootstrap;
    secret('the bootstrap management key', managementKey);
    secret('the bootstrap key', apiKey);
    const marker = `canary-${random()}`;
    for (const name of ['password', 'ca.key', 'node.key'])
      secret(`${name} of the event store`, await ownSecret(name));
    const hash = await whatSucceeds(marker);
    await whatIsRefused();
    await whatFails();
    await sluice.stop();
    ok(secrets.size > 30, `looked for ${secrets.size}`);
    deepEqual(
      answers.flatMap((answer) => foundInText(answer, secrets).map((name) => `${name}: ${answer}`)),
      [],
    );
    deepEqual(foundInText(sluice.output(), withoutBootstrap()), []);
    // The folder where the administrator of this machine keeps them. No other user reads it.
    const isSkipped = (path: string) =>
      path === 'bootstrap.json' || path.startsWith(join('secrets', 'eventstore'));
    deepEqual(await foundIn(sluice.dataDirectory, secrets, isSkipped), []);
    await showThatTheSearchFinds(marker, hash);
  });
});

/** A line of it: a key that leaks need not leak as the file has it. */
async function ownSecret(name: string): Promise<string> {
  const content = await readFile(join(sluice.dataDirectory, 'secrets', 'eventstore', name), 'utf8');
  const [line = ''] = content
    .split('\n')
    .filter((each) => each.length > 40 && !each.startsWith('-'));
  return line;
}

/** The first start prints the keys to the administrator's terminal, once. */
function withoutBootstrap(): ReadonlyMap<string, string> {
  return new Map([...secrets].filter(([name]) => !name.startsWith('the bootstrap')));
}

/** Shows that the search looks into each store: it finds texts there that are no secrets. */
async function showThatTheSearchFinds(marker: string, hash: string): Promise<void> {
  const found = await foundIn(
    sluice.dataDirectory,
    new Map([
      ['marker', marker],
      ['hash', hash],
    ]),
  );
  const folders = new Set(found.map((each) => each.replace(/^(\w+) in ([^/]+).*$/, '$1 in $2')));
  for (const expected of ['marker in eventstore', 'marker in postgres', 'hash in nats'])
    ok(folders.has(expected), `${expected} is not among ${[...folders].join(', ')}`);
}
