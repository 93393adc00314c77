import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { json, type Json, list, manage } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { sluiceProcess } from '@sluice/cli/testing';
import { ofItsApi, sluice } from './sluice.ts';

let instance: Running;
let home: string;
beforeAll(async () => {
  [instance, home] = await Promise.all([sharedInstance(), mkdtemp(join(tmpdir(), 'agents-'))]);
});
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

const env = () => ({ ...ofItsApi(instance), HOME: home });
const run = (...words: readonly string[]) => sluice(instance, ['agents', ...words], env());
const read = async (path: string) => await readFile(join(home, path), 'utf8');
const keysMade = async () => list((await manage(instance, '/keys')).body['data']);
const ask = async (key: string) =>
  (await json(instance, '/responses', { key, body: { model: 'sim/echo', input: 'x' } })).status;

describe('sluice agents', () => {
  test('prints what to paste, with a key that has a limit', async () => {
    const { code, out, error } = await run(
      'claude',
      '--model',
      'sim/chat',
      '--limit',
      '5',
      '--yes',
    );
    deepEqual([code, error], [0, '']);
    match(out, /^Put into ~\/\.claude\/settings\.json:\n/);
    const { env } = JSON.parse(out.slice(out.indexOf('{'), out.lastIndexOf('}') + 1)) as {
      readonly env: Readonly<Record<string, string>>;
    };
    equal(env['ANTHROPIC_MODEL'], 'sim/chat');
    equal(`${env['ANTHROPIC_BASE_URL'] ?? ''}/v1`, instance.bootstrap.base_url);
    equal(await ask(env['ANTHROPIC_AUTH_TOKEN'] ?? ''), 200);
    const made = (await keysMade()).find(
      ({ name }) => (name as unknown) === 'claude (sluice agents)',
    );
    deepEqual([made?.['limit'], made?.['limit_reset']], [5, 'monthly']);
    deepEqual(await readdir(home), []);
  });

  test('names a model that does not exist', async () => {
    const { code, error } = await run('claude', '--model', 'no/such', '--limit', '5', '--yes');
    deepEqual([code, error], [1, 'there is no model no/such\n']);
  });

  test('writes the settings, keeps the others and the file before, and nobody else can read the key', async () => {
    const before = '# mine\nmodel = "gpt-5"\n\n[mcp_servers.docs]\ncommand = "docs"\n';
    await mkdir(join(home, '.codex'));
    await writeFile(join(home, '.codex/config.toml'), before);
    const { code, out, error } = await run('codex', '--model', 'sim/echo', '--write', '--yes');
    deepEqual([code, error], [0, '']);
    const config = await read('.codex/config.toml');
    match(config, /^model = "sim\/echo"$/m);
    match(config, /^\[mcp_servers\.docs\]$/m);
    const key = /experimental_bearer_token = "([^"]+)"/.exec(config)?.[1] ?? '';
    equal(await ask(key), 200);
    ok(!out.includes(key));
    const files = await readdir(join(home, '.codex'));
    const backup = files.find((name) => name.startsWith('config.toml.before-sluice-')) ?? '';
    equal(await read(`.codex/${backup}`), before);
    equal((await stat(join(home, '.codex/config.toml'))).mode & 0o077, 0);
    const { models } = JSON.parse(await read('.codex/sluice-models.json')) as {
      readonly models: readonly Json[];
    };
    deepEqual([models[0]?.['slug'], models[0]?.['context_window']], ['sim/echo', 128_000]);
  });

  test('makes no key for a file that it cannot change, a model that is not there, or without an answer', async () => {
    const count = (await keysMade()).length;
    await mkdir(join(home, '.qwen'), { recursive: true });
    await writeFile(join(home, '.qwen/settings.json'), '{"a": 1, /* mine */ }');
    const unclear = await run('qwen', '--model', 'sim/echo', '--write', '--yes');
    equal(unclear.code, 1);
    match(unclear.error, /settings\.json is no plain JSON object/);
    const unknown = await run('qwen', '--model', 'no/such', '--yes');
    deepEqual([unknown.code, unknown.out], [1, '']);
    match(unknown.error, /there is no model no\/such/);
    const silent = await sluiceProcess(['agents', 'qwen', '--model', 'sim/echo'], env());
    equal(silent.code, 1);
    match(silent.error, /--yes/);
    const wrong = await run('emacs');
    equal(wrong.code, 2);
    equal((await keysMade()).length, count);
  });
});
