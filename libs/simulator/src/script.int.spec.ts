import { deepEqual, equal } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startSimulator, type Simulator } from './index.ts';

let folder: string;
let simulator: Simulator;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  simulator = await startSimulator({
    host: '127.0.0.1',
    port: 0,
    receiptsFile: join(folder, 'receipts.jsonl'),
    script({ turns, tools }) {
      if (turns.at(-1)?.text === 'fall over') return { directives: ['error-503'] };
      if (tools.length === 0) return undefined;
      const name = tools[0]?.name ?? '';
      return { parts: [{ type: 'tool-call', name, text: '{"at":"noon"}' }] };
    },
  });
});
afterAll(async () => {
  await simulator.stop();
  await rm(folder, { recursive: true });
});

async function ask(input: string, tools: readonly object[] = []) {
  const body = JSON.stringify({ model: 'echo', input, tools });
  const response = await fetch(`${simulator.url}/responses`, { method: 'POST', body });
  const { output } = (await response.json()) as { output?: readonly Record<string, unknown>[] };
  return { status: response.status, item: output?.[0] };
}

describe('a script', () => {
  test('writes the answer with the tools that are offered', async () => {
    const { item } = await ask('what now', [{ type: 'function', name: 'meet' }]);
    deepEqual([item?.['name'], item?.['arguments']], ['meet', '{"at":"noon"}']);
  });

  test('gives directives', async () => {
    equal((await ask('fall over')).status, 503);
  });

  test('leaves a prompt to the usual answer', async () => {
    deepEqual((await ask('hello')).item?.['type'], 'message');
  });
});
