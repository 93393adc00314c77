import { execFile } from 'node:child_process';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Instance, startInstance } from './instance.ts';
import { sluice as commandLine } from './sluice.ts';

const blocksOf = async (name: string) => {
  const page = await readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
  return [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block ?? '');
};
/** The page of server tools has the lines that both pages begin with. */
const [setUp = ''] = await blocksOf('server-tools.md');
const examples = (await blocksOf('plugins.md')).filter((block) => block.startsWith('curl '));
/** With the node that runs this. */
const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
const runTimeoutMs = 60_000;

let sluice: Instance;
beforeAll(async () => {
  sluice = await startInstance();
  // The page says that the operator does so.
  equal((await commandLine(sluice, ['accounts', 'allow', 'alignment'])).code, 0);
});
afterAll(() => sluice?.dispose());

/** Runs an example as a reader pastes it. Returns its output. */
async function pasted(example: string): Promise<string> {
  const script = `set -eu\n${setUp}curl() { command curl -sS "$@"; }\n${example}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    env: { ...bareEnvironment, PATH: path, SLUICE_DATA_DIR: sluice.dataDirectory },
    timeout: runTimeoutMs,
  });
  return stdout;
}

describe('every example of the page of plugins', () => {
  const named = examples.map((example): readonly [string, string] => {
    const [, id = '?'] =
      /"id": "([^"]*)"/.exec(example) ?? /"model": "([^"]*)"/.exec(example) ?? [];
    return [id, example];
  });

  test.each(named)('is answered with what stands behind it: %s', async (_, example) => {
    const wanted = [...example.matchAll(/^# → (.*)$/gm)].map(([, text]) => text ?? '');
    ok(wanted.length > 0, 'it says what comes');
    const answer = await pasted(example);
    const missing = wanted.filter((text) => !answer.includes(text));
    deepEqual(missing, [], answer);
  });

  test('are one for each plugin with settings', () => {
    const ids = new Set(named.map(([id]) => id));
    const lacking = [
      'response-healing',
      'context-compression',
      'file-parser',
      'web',
      'alignment',
      'web-fetch',
      'auto-router',
      'pareto-router',
      'fusion',
      'switchyard-router',
      'jev-router',
    ].filter((id) => !ids.has(id));
    deepEqual(lacking, []);
  });
});
