import { execFile } from 'node:child_process';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { beforeAll, describe, test } from 'vitest';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
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

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance({ kind: 'outward' });
  // The page says that the operator does so.
  const words = ['accounts', 'allow', 'alignment', '--account', sluice.bootstrap.organization_id];
  equal((await commandLine(sluice, words)).code, 0);
});

/** Runs an example as a reader pastes it. Returns its output. */
async function pasted(example: string): Promise<string> {
  const script = `set -eu\n${setUp}curl() { command curl -sS "$@"; }\n${example}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    env: { ...bareEnvironment, PATH: path, SLUICE_DATA_DIR: sluice.bootstrapDirectory },
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
