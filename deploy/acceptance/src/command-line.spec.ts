import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, test } from 'vitest';
import { eventually, raw } from './http.ts';
import { firstOrganization } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { sluice } from './sluice.ts';

let instance: Running;
beforeAll(async () => {
  instance = await firstOrganization();
});

interface Entry {
  readonly action: string;
  readonly outcome: string;
  readonly actor: { readonly type: string };
  readonly resource: { readonly id: string };
  readonly request: { readonly ip: string; readonly userAgent: string };
  readonly changes: readonly { readonly field: string }[];
}

const run = (...words: readonly string[]) => sluice(instance, [...words]);
const json = async (...words: readonly string[]) => {
  const { code, out, error } = await run(...words, '--json');
  deepEqual([code, error], [0, '']);
  return JSON.parse(out) as { data: Record<string, unknown>; key: string };
};

describe('the command line', () => {
  test('makes, shows, changes and deletes a key', async () => {
    const created = await run('keys', 'create', '--name', 'Batch jobs', '--limit', '1.5');
    deepEqual([created.code, created.error], [0, '']);
    match(created.out, /^limit +1\.5$/m);
    match(created.out, /^key +sk-sluice-v1-\w{49}$/m);
    const hash = /^hash +([0-9a-f]{64})$/m.exec(created.out)?.[1] ?? '';
    const { data } = await json('keys', 'update', hash, '--limit', 'none', '--disabled', 'true');
    deepEqual([data['limit'], data['disabled']], [null, true]);
    const list = await run('keys', 'list', '--include-disabled', 'true');
    match(list.out, new RegExp(String.raw`^HASH .*\n${hash} .* Batch jobs +true +- `));
    equal((await run('keys', 'delete', hash)).code, 0);
    const gone = await run('keys', 'show', hash);
    deepEqual(gone, { code: 1, out: '', error: 'This is refused (404): Resource not found.\n' });
  });

  test('shows models, their endpoints and who serves', async () => {
    const list = await run('models', 'list', '--q', 'sim', '--sort', 'context-high-to-low');
    deepEqual([list.code, list.error], [0, '']);
    match(list.out, /^ID +NAME +CONTEXT_LENGTH +PRICING\n/);
    match(list.out, /^sim\/echo +Simulator: echo +128000 +\{/m);
    match((await run('models', 'get', 'sim/echo')).out, /^id +sim\/echo$/m);
    match(
      (await run('models', 'endpoints', 'sim/echo')).out,
      /^TAG .*\nsimulator +Simulator +- +(?:0|-1) /,
    );
    const { data: count } = await json('models', 'count', '--output-modalities', 'all');
    const { data: all } = await json('models', 'list', '--output-modalities', 'all');
    equal(count['count'], Object.keys(all).length);
    match((await run('providers')).out, /^simulator +Simulator +/m);
    const { code, error } = await run('models', 'list', '--sort', 'best');
    deepEqual([code, error], [1, 'This is refused (400): sort is none of the allowed values.\n']);
  });

  test('does every operation of the description, but for pages and another name', async () => {
    const without = [
      // The description and its pages, and the base URL, which clients ask for before they call.
      'GET /',
      'GET /v1',
      'GET /openapi.json',
      'GET /docs',
      'GET /docs/{file}',
      // `GET /v1/model/{author}/{slug}` for the client of OpenAI: models get.
      'GET /v1/models/{author}/{slug}',
      'GET /v1/models/{model}',
      // Contents are streamed: files upload, files download.
      'GET /v1/files/{id}/content',
      'POST /v1/files',
    ];
    const response = await fetch(new URL('/openapi.json', instance.bootstrap.base_url));
    const { paths } = (await response.json()) as { readonly paths: Record<string, object> };
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const { out } = await run('operations', '--json');
    const commands = JSON.parse(out) as readonly { method: string; path: string }[];
    const done = commands.map(({ method, path }) => `${method} ${path}`);
    deepEqual([...done, ...without].toSorted(), described.toSorted());
  });

  test('reads fields of a body from a file, and flags prevail', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-body-'));
    const file = join(directory, 'key.json');
    await writeFile(file, JSON.stringify({ name: 'From a file', limit: 1 }));
    const { data } = await json('keys', 'create', '--body-file', file, '--limit', '2');
    deepEqual([data['name'], data['limit']], ['From a file', 2]);
    await writeFile(file, 'sk-a-secret');
    const { code, error } = await run('keys', 'create', '--body-file', file);
    await rm(directory, { recursive: true });
    deepEqual([code, error], [1, 'The file is no JSON.\n']);
  });

  test('shows what was used, of whom, and proves it', async () => {
    const asked = await run('responses', 'create', '--model', 'sim/echo', '--input', 'Hello');
    match(asked.out, /^output_text +You said: Hello$/m);
    const body = { model: 'sim/echo', input: 'Hello' };
    const { headers } = await raw(instance, '/responses', { body });
    const id = headers.get('x-generation-id') ?? '';
    const generation = await eventually(
      () => run('generation', 'show', '--id', id),
      ({ code }) => code === 0,
    );
    match(generation.out, /^model +sim\/echo$/m);
    const feedback = ['--id', id, '--category', 'other', '--comment', 'A test'];
    match((await run('generation', 'feedback', ...feedback)).out, /^success +true$/m);
    const content = await run('generation', 'content', '--id', id);
    deepEqual([content.code, content.out], [1, '']);
    match(content.error, /^This is refused \(404\): /);
    for (const [words, shown] of [
      [['activity'], /^DATE +MODEL +|^$/],
      [['credits', 'balance'], /^total_credits +100$/m],
      [['key'], /^is_management_key +true$/m],
      [['proofs', 'conservation'], /^is_conserved +true$/m],
      [['proofs', 'budget', 'credits'], /^SCOPE +/],
      [['models', 'usable'], /^ID +NAME +[^]*sim\/echo/],
      [['models', 'embeddings'], /./],
      [['models', 'zdr'], /^MODEL_ID +TAG +/],
    ] as const) {
      const { code, out, error } = await run(...words);
      deepEqual([code, error], [0, ''], words.join(' '));
      match(out, shown, words.join(' '));
    }
  });

  test('takes the beginning of a hash for the key that has it', async () => {
    const { data } = await json('keys', 'create', '--name', 'By its beginning');
    const hash = String(data['hash']);
    const short = hash.slice(0, 10);
    match((await run('keys', 'show', short)).out, new RegExp(`^hash +${hash}$`, 'm'));
    equal((await json('keys', 'update', short, '--name', 'Renamed')).data['name'], 'Renamed');
    equal((await run('activity', '--key', short)).code, 0);
    equal((await run('keys', 'delete', short)).code, 0);
    const gone = await run('keys', 'show', short);
    deepEqual(gone, {
      code: 1,
      out: '',
      error: `No key has a hash that begins with ${short}.\n`,
    });
  });

  test('says what is wrong with what was asked', async () => {
    const { code, error } = await run('keys', 'create', '--name', '');
    equal(code, 1);
    match(error, /^This is refused \(400\): name must be a text of 1 to 200 characters/);
    equal((await run('keys', 'create')).code, 2);
  });

  test('makes a management key, which the HTTP API cannot, and the key opens it', async () => {
    const expires = '2099-01-01T00:00:00Z';
    const made = await run('keys', 'create-management', '--name', 'CI', '--expires', expires);
    deepEqual([made.code, made.error], [0, '']);
    const key = /^mk-sluice-v1-\w{49}$/m.exec(made.out)?.[0] ?? '';
    const answer = await fetch(`${instance.bootstrap.base_url}/keys`, {
      headers: { authorization: `Bearer ${key}` },
    });
    equal(answer.status, 200);
    const past = ['--name', 'CI', '--expires', '2001-01-01T00:00:00Z'];
    const refused = await run('keys', 'create-management', ...past);
    equal(refused.code, 1);
    match(refused.error, /^This is refused: expires_at /);
  });

  test('tells who changed what, with the value before and after', async () => {
    const { data } = await json('keys', 'create', '--name', 'Before');
    const hash = String(data['hash']);
    await json('keys', 'update', hash, '--name', 'After');
    const words = ['--resource', hash, '--account', instance.bootstrap.organization_id];
    const { code, out } = await run('audit', ...words, '--since', '2020-01-01', '--json');
    equal(code, 0);
    const entries = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Entry);
    deepEqual(
      entries.map(({ action, outcome, actor }) => [action, outcome, actor.type]),
      [
        ['api_key.issued', 'accepted', 'management_key'],
        ['api_key.renamed', 'accepted', 'management_key'],
      ],
    );
    const changed = entries[1]?.changes.find(({ field }) => field === 'name');
    deepEqual(changed, { field: 'name', before: 'Before', after: 'After' });
    match((await run('audit', ...words)).out, / {2}name: "Before" → "After"\n/);
    equal((await run('audit', ...words, '--until', '2020-01-01')).out, 'No entries.\n');
    equal((await run('audit', '--account', 'org_nobody')).out, 'No entries.\n');
  });

  /** The account may have refusals of others. */
  const refusedIn = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Entry)
      .filter(({ outcome, request }) => outcome === 'refused' && request.userAgent === 'prober/1');

  test('tells what was refused, to whom, and from where it was asked', async () => {
    const { api_key: regular, management_key: management } = instance.bootstrap;
    const ask = (method: string, path: string, key: string) =>
      fetch(`${instance.bootstrap.base_url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'user-agent': 'prober/1' },
      });
    const hash = 'e'.repeat(64);
    equal((await ask('GET', '/keys', regular)).status, 403);
    equal((await ask('DELETE', `/keys/${hash}`, management)).status, 404);
    const account = instance.bootstrap.organization_id;
    const words = ['--account', account, '--since', '2020-01-01', '--json'];
    const { out } = await eventually(
      () => run('audit', ...words),
      ({ out: text }) => refusedIn(text).length >= 2,
    );
    const refused = refusedIn(out);
    deepEqual(
      refused.map(({ action, actor, resource, request }) => [
        action,
        actor.type,
        resource.id,
        request.ip,
      ]),
      [
        ['api_key.list', 'api_key', '', '127.0.0.1'],
        ['api_key.delete', 'management_key', hash, '127.0.0.1'],
      ],
    );
  });
});
