import { deepEqual, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Instance, startInstance } from './instance.ts';

const page = await readFile(new URL('../../../docs/use-with.md', import.meta.url), 'utf8');
const programs = [...page.matchAll(/^```js\n(.*?)^```/gms)].map(([, block]) => block ?? '');
/** One model for each dialect of providers. */
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];
const localUrl = 'http://127.0.0.1:8080';
/** The clients of others are dependencies of this folder. */
const cwd = fileURLToPath(new URL('..', import.meta.url));
const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
const runTimeoutMs = 120_000;

let sluice: Instance;
beforeAll(async () => {
  sluice = await startInstance();
});
afterAll(() => sluice?.dispose());

async function printed(program: string, model: string): Promise<readonly string[]> {
  const { bootstrap } = sluice;
  const rootUrl = bootstrap.base_url.replace(/\/v1$/, '');
  const text = program.replaceAll(localUrl, rootUrl);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', text],
    {
      cwd,
      env: {
        ...bareEnvironment,
        PATH: path,
        SLUICE_API_KEY: bootstrap.api_key,
        SLUICE_MODEL: model,
      },
      timeout: runTimeoutMs,
    },
  );
  return stdout.trim().split('\n');
}

describe('every program of the page', () => {
  const titled = programs.map((program) => [program.split("'")[1] ?? '', program]);

  test.each(titled)(
    'prints what stands behind its lines, with each kind of provider: %s',
    async (_, program = '') => {
      const expected = [...program.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line);
      ok(expected.length > 0);
      const all = await Promise.all(models.map((model) => printed(program, model)));
      for (const lines of all) deepEqual(lines, expected);
    },
    runTimeoutMs,
  );
});
