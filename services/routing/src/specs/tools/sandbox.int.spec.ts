import { deepEqual, equal, match } from 'node:assert/strict';
import type { ClientDialectName } from '@sluice/inference-port';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inMemorySandbox } from '../../testing/in-memory-sandbox.ts';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

// The model calls `service:shell` or `service:bash`, and the sandbox or the client runs the commands.

const sandbox = inMemorySandbox();
let routing: RoutingHarness;
beforeAll(async () => {
  const catalogFile = () => 'tool_prices: [{ tool: "service:shell", second: "0.001" }]';
  routing = await routingHarness({ sandbox, catalogFile });
});
afterAll(() => routing.stop());

const settings = {
  engine: 'service',
  environment: {
    type: 'container_reference',
    container_id: 'mine',
    network_policy: { type: 'allowlist', allowed_domains: ['*.example.com'] },
  },
};
const bodyOf = (dialect: ClientDialectName, type: string, parameters: object) => {
  const asked = { role: 'user', content: `call ${type.replace(':', '_')}` };
  const messages = dialect === 'responses' ? { input: [asked] } : { messages: [asked] };
  return {
    ...messages,
    max_tokens: dialect === 'messages' ? 500 : undefined,
    tools: [{ type, parameters }],
  };
};
const cases = (['responses', 'messages', 'chat-completions'] as const).flatMap((dialect) =>
  (['service:bash', 'service:shell'] as const)
    // Chat completions have no place for the shell (contract 27).
    .filter((type) => dialect !== 'chat-completions' || type === 'service:bash')
    .flatMap((type) => [false, true].map((stream) => ({ dialect, type, stream }))),
);

describe('a loop with a sandbox', () => {
  test.each(cases)('$type at $dialect, streamed: $stream', async ({ dialect, type, stream }) => {
    const before = sandbox.commands.length;
    const body = { model: 'sim/echo', stream, ...bodyOf(dialect, type, settings) };
    const reply = await routing.call(body, { dialect });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    match(text, /echo hello/);
    const ran = sandbox.commands.slice(before);
    deepEqual([...new Set(ran)], ['echo hello']);
    match(sandbox.opened.at(-1) ?? '', / mine \*\.example\.com$/);
    const id = reply.headers['x-generation-id'] ?? '';
    const fact = await eventually(
      () => routing.ledger.facts.find(({ usageId }) => usageId === `${id}/tool/1`),
      'the fact of the call',
    );
    equal(fact?.costNanoUsd, type === 'service:shell' ? 2_000_000n : 0n);
  });

  test('that asks for bash without an engine returns the call to the client', async () => {
    const before = sandbox.commands.length;
    const body = { model: 'sim/echo', ...bodyOf('responses', 'service:bash', {}) };
    const reply = await routing.call(body, { dialect: 'responses' });
    const { output } = JSON.parse(await textOf(reply)) as {
      output: { type: string; name?: string }[];
    };
    deepEqual(
      output.map(({ type, name }) => [type, name]),
      [['function_call', 'service_bash']],
    );
    equal(sandbox.commands.length, before);
  });

  test('of a container with another network policy is refused before a model is called', async () => {
    const receipts = (await routing.receipts()).length;
    const ask = (container_id: string) =>
      routing.call(
        {
          model: 'sim/echo',
          ...bodyOf('responses', 'service:shell', {
            environment: { type: 'container_reference', container_id },
          }),
        },
        { dialect: 'responses' },
      );
    const refused = await ask('taken');
    const text = await textOf(refused);
    deepEqual([refused.status, JSON.parse(text).error.message], [409, 'another policy']);
    equal((await routing.receipts()).length, receipts);
    const away = await ask('away');
    match(await textOf(away), /"status":"failed".*sandbox unavailable/);
    equal(away.status, 200);
  });

  test.each<[object, string]>([
    [{ engine: 'docker' }, 'engine'],
    [{ sleep_after_seconds: 2_592_001 }, 'sleep_after_seconds'],
    [{ environment: { type: 'container_reference' } }, 'environment.container_id'],
    [
      { environment: { type: 'container_reference', container_id: 'a b' } },
      'environment.container_id',
    ],
    [{ environment: { type: 'container_auto', file_ids: ['file_1'] } }, 'environment.file_ids[0]'],
    [
      {
        environment: {
          type: 'container_auto',
          network_policy: { type: 'allowlist', allowed_domains: ['http://a'] },
        },
      },
      'environment.network_policy.allowed_domains[0]',
    ],
  ])('refuses %o by its path', async (parameters, path) => {
    const body = { model: 'sim/echo', ...bodyOf('responses', 'service:shell', parameters) };
    const reply = await routing.call(body, { dialect: 'responses' });
    const text = await textOf(reply);
    equal(reply.status, 400);
    match(text, new RegExp(`tools\\[0\\]\\.parameters\\.${path.replaceAll(/[.[\]]/g, '\\$&')}`));
  });
});
