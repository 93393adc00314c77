import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { startMcpServer, type StartedMcpServer } from '@sluice/mcp-client/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { hostedPrograms, inputs } from './hosted-programs.ts';
import { json, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { runProgram, stockClients } from './stock-clients.ts';

// Clients that know the hosted tools of OpenAI and Anthropic use those of Sluice, streamed and whole, unmodified.

/** One model for each dialect of providers. */
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];

let sluice: Running;
let mcpServer: StartedMcpServer;
let hasSandbox: boolean;
beforeAll(async () => {
  mcpServer = await startMcpServer([
    {
      name: 'search',
      description: 'Finds tickets.',
      inputSchema: { properties: { query: { type: 'string' } } },
    },
  ]);
  sluice = await sharedInstance({ kind: 'outward' });
  hasSandbox = await runsCommands();
});
afterAll(() => mcpServer?.stop());

/** Returns true if a sandbox works on this machine. */
async function runsCommands(): Promise<boolean> {
  const tools = [{ type: 'service:shell' }];
  const body = { model: 'sim/chat', input: inputs.running, tools };
  const { status, body: answer } = await json(sluice, '/responses', { body });
  equal(status, 200, JSON.stringify(answer));
  return text(answer['output']?.['0']?.['status']) === 'completed';
}

/** Runs a program once for each model in one process, since loading the packages takes most of the time. */
async function printed(program: string, cwd: string): Promise<readonly unknown[]> {
  const { base_url: baseUrl, api_key: key } = sluice.bootstrap;
  const imports = [...program.matchAll(/^import [^;]*;$/gm)].map(([line]) => line);
  const body = program.replaceAll(/^import [^;]*;$/gm, '');
  const text = `${imports.join('\n')}
const inputs = ${JSON.stringify(inputs)};
const print = (...line) => console.log(JSON.stringify(line));
for (const model of ${JSON.stringify(models)}) await (async () => {${body}})();`;
  const env = { BASE_URL: baseUrl, API_KEY: key, MCP_URL: mcpServer.url };
  const lines = (await runProgram(text, { cwd, env })).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe.each(stockClients)('with $name of its packages', ({ has, folder }) => {
  test.each(hostedPrograms)('$title answers whole and streamed', async ({ file, prints }) => {
    const text = await readFile(new URL(`../hosted-programs/${file}.js`, import.meta.url), 'utf8');
    ok(has(text), 'each program runs with three versions');
    deepEqual(
      await printed(text, folder),
      models.flatMap((model) => prints(model, { hasSandbox })),
    );
  });
});
