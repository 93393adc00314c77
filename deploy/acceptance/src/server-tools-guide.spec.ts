import { execFile } from 'node:child_process';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { startMcpServer, type StartedMcpServer } from '@sluice/mcp-client/testing';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

const page = await readFile(new URL('../../../docs/server-tools.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block ?? '');
const [setUp = '', ...examples] = blocks;
/** The page names a server that is nowhere. */
const mcpUrl = 'https://tickets.example/mcp';
/** With the node that runs this. */
const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
const runTimeoutMs = 60_000;

let sluice: Running;
let mcpServer: StartedMcpServer;
beforeAll(async () => {
  mcpServer = await startMcpServer([
    {
      name: 'search',
      description: 'Finds tickets.',
      inputSchema: { properties: { query: { type: 'string', default: 'printer' } } },
    },
  ]);
  sluice = await sharedInstance({ kind: 'outward' });
});
afterAll(() => mcpServer?.stop());

/** Runs an example as a reader pastes it, after the first lines of the page. Returns its output. */
async function pasted(example: string): Promise<string> {
  const script = `set -eu\n${setUp}curl() { command curl -sS "$@"; }\n${example}`;
  const text = script.replace(mcpUrl, mcpServer.url);
  const { stdout } = await promisify(execFile)('bash', ['-c', text], {
    env: { ...bareEnvironment, PATH: path, SLUICE_DATA_DIR: sluice.bootstrapDirectory },
    timeout: runTimeoutMs,
  });
  return stdout;
}

describe('every example of the page of server tools', () => {
  const named = examples.map((example): readonly [string, string] => {
    const [, input = '?'] = /"input": "([^"{]*)/.exec(example) ?? [];
    return [input.slice(0, 60), example];
  });

  test.each(named)('is answered with what stands behind it: %s', async (_, example) => {
    const wanted = [...example.matchAll(/^# → (.*)$/gm)].map(([, text]) => text ?? '');
    ok(wanted.length > 0, 'it says what comes');
    const answer = await pasted(example);
    const missing = wanted.filter((text) => !answer.includes(text));
    deepEqual(missing, [], answer);
  });
});

test('there is one for each tool that the page lists', () => {
  const rows = [...page.matchAll(/^\| \[`([\w:]+)`\]\(#[\w-]+\)/gm)].map(([, tool]) => tool ?? '');
  ok(rows.length >= 13);
  const shown = rows.filter((tool) => examples.some((text) => text.includes(`"type": "${tool}"`)));
  deepEqual(
    shown,
    rows.filter((tool) => tool !== 'service:bash'),
  );
  equal(page.includes('```json'), false, 'each example is one that runs');
});
