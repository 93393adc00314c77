import { deepEqual, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, test } from 'vitest';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { runProgram, stockClients } from './stock-clients.ts';

const page = await readFile(new URL('../../../docs/use-with.md', import.meta.url), 'utf8');
const programs = [...page.matchAll(/^```js\n(.*?)^```/gms)].map(([, block]) => block ?? '');
/** One model for each dialect of providers. */
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];
const localUrl = 'http://127.0.0.1:8080';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

/** Runs a program once for each model in one process, since loading the packages takes most of the time. */
async function printed(program: string, cwd: string): Promise<readonly string[]> {
  const { bootstrap } = sluice;
  const rootUrl = bootstrap.base_url.replace(/\/v1$/, '');
  const imports = [...program.matchAll(/^import .*$/gm)].map(([line]) => line);
  const body = program.replaceAll(/^import .*$/gm, '').replaceAll(localUrl, rootUrl);
  const text = `${imports.join('\n')}
globalThis.AI_SDK_LOG_WARNINGS = false;
for (const model of ${JSON.stringify(models)}) {
  process.env.SLUICE_MODEL = model;
  await (async () => {${body}})();
}`;
  const stdout = await runProgram(text, { cwd, env: { SLUICE_API_KEY: bootstrap.api_key } });
  return stdout.trim().split('\n');
}

describe.each(stockClients)('every program of the page, with $name of its packages', (clients) => {
  const titled = programs
    .filter((program) => clients.has(program))
    .map((program) => [program.split("'")[1] ?? '', program] as const);

  test.each(titled)('prints what stands behind its lines: %s', async (_, program) => {
    const expected = [...program.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line);
    ok(expected.length > 0);
    deepEqual(
      await printed(program, clients.folder),
      models.flatMap(() => expected),
    );
  });
});

test('each program runs with some version, and those of the AI SDK and OpenAI with three', () => {
  const versions = programs.map((program) => stockClients.filter(({ has }) => has(program)).length);
  ok(versions.every((count) => count > 0));
  deepEqual(
    programs.flatMap((program, at) => (versions[at] === 1 ? [program.split("'")[1]] : [])),
    ['@openrouter/sdk', '@langchain/openrouter'],
  );
});
