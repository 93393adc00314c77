import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { sandboxEnvironment } from './sandbox.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const own = { address: '127.0.0.1:1', rpcToken: 'token', dataDirectory: '/data', adminPort: 0 };

/** The names that the schema of the service lists. */
function settingsOfTheService(): readonly string[] {
  const text = readFileSync(join(root, 'services', 'sandbox', 'src', 'config.ts'), 'utf8');
  return (text.match(/^ {2}[A-Z][A-Z0-9_]+(?=:)/gm) ?? []).map((name) => name.trim());
}

test('the sandbox gets each setting that it reads', () => {
  const names = settingsOfTheService().filter((name) => name !== 'SLUICE_DATA_DIR');
  ok(names.length >= 12, names.join());
  const env = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
  const kept = { ...env, ...sandboxEnvironment(env, own) };
  deepEqual(
    names.filter((name) => kept[name] !== env[name]),
    [],
  );
});

test('the sandbox gets no key of another service', () => {
  const env = { SLUICE_KEY_PEPPER: 'p', OPENAI_API_KEY: 'k', SLUICE_POSTGRES_URL: 'u', PATH: '/' };
  const kept: Record<string, string | undefined> = { ...env, ...sandboxEnvironment(env, own) };
  for (const name of ['SLUICE_KEY_PEPPER', 'OPENAI_API_KEY', 'SLUICE_POSTGRES_URL'])
    equal(kept[name], undefined);
  equal(kept['PATH'], '/');
});
