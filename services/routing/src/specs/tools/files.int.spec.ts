import { equal, match } from 'node:assert/strict';
import { systemClock } from '@sluice/clock-and-ids';
import type { ClientDialectName } from '@sluice/inference-port';
import { inMemoryFiles } from '@sluice/workspace-files/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inMemorySandbox } from '../../testing/in-memory-sandbox.ts';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

// The model writes and lists files of its workspace, and commands find them in their container.

const files = inMemoryFiles(systemClock);
const sandbox = inMemorySandbox();
let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ files, sandbox });
});
afterAll(() => routing.stop());

const write = '{"operation":"write","filename":"notes.txt","content":"a note of the model"}';
const prompt = `agent: call service_files ${write} then say done`;
const bodyOf = (dialect: ClientDialectName, content: string, tools: readonly object[]) => {
  const asked = { role: 'user', content };
  if (dialect === 'responses') return { input: [asked], tools };
  return { messages: [asked], tools, ...(dialect === 'messages' && { max_tokens: 500 }) };
};
const cases = (['responses', 'messages', 'chat-completions'] as const).flatMap((dialect) =>
  [false, true].map((stream) => ({ dialect, stream })),
);

describe('a loop with files', () => {
  test.each(cases)('at $dialect, streamed: $stream', async ({ dialect, stream }) => {
    const body = {
      model: 'sim/echo',
      stream,
      ...bodyOf(dialect, prompt, [{ type: 'service:files' }]),
    };
    const reply = await routing.call(body, { dialect });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    match(text, /svc_file_[0-9a-f]{32}/);
    const id = reply.headers['x-generation-id'] ?? '';
    const fact = await eventually(
      () => routing.ledger.facts.find(({ usageId }) => usageId === `${id}/tool/1`),
      'the fact of the call',
    );
    equal(fact?.costNanoUsd, 0n);
  });

  test('takes no settings', async () => {
    const tools = [{ type: 'service:files', parameters: { root: '/' } }];
    const body = { model: 'sim/echo', ...bodyOf('responses', 'hello', tools) };
    const reply = await routing.call(body, { dialect: 'responses' });
    equal(reply.status, 400);
    match(await textOf(reply), /tools\[0\]\.parameters/);
  });

  test('copies the files that a container names into its home', async () => {
    const written = {
      model: 'sim/echo',
      ...bodyOf('responses', prompt, [{ type: 'service:files' }]),
    };
    const text = await textOf(await routing.call(written, { dialect: 'responses' }));
    const [fileId = ''] = /svc_file_[0-9a-f]{32}/.exec(text) ?? [];
    const environment = { type: 'container_auto', file_ids: [fileId] };
    const tools = [{ type: 'service:shell', parameters: { environment } }];
    const body = { model: 'sim/echo', ...bodyOf('responses', 'call service_shell', tools) };
    equal((await routing.call(body, { dialect: 'responses' })).status, 200);
    const name = `${fileId.slice(-8)}-notes.txt`;
    await eventually(() => sandbox.written.get(name), 'the copy');
    equal(sandbox.written.get(name), 'a note of the model');
  });

  test.each(['service:shell', 'service:bash'])(
    'refuses ids of %s that name no file of the workspace, before a model is called',
    async (type) => {
      const none = [1, 2].map((digit) => `svc_file_${String(digit).repeat(32)}`);
      const environment = { type: 'container_auto', file_ids: none };
      const parameters = { environment, ...(type === 'service:bash' && { engine: 'service' }) };
      const tools = [{ type: 'service:datetime' }, { type, parameters }];
      for (const dialect of ['responses', 'messages'] as const) {
        const calls = (await routing.receipts()).length;
        const body = { model: 'sim/echo', ...bodyOf(dialect, 'hello', tools) };
        const reply = await routing.call(body, { dialect });
        const text = await textOf(reply);
        equal(reply.status, 400, text);
        for (const [index, id] of none.entries())
          match(
            text,
            new RegExp(
              String.raw`tools\[1\]\.parameters\.environment\.file_ids\[${index}\]: there is no file ${id}`,
            ),
          );
        equal((await routing.receipts()).length, calls);
      }
    },
  );
});
