import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  errorOf,
  eventsOf,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const named = { type: 'function', name: 'weather', parameters: { type: 'object' } };
const search = { type: 'code_execution_20250825' };
const patch = { type: 'apply_patch' };
const debug = { stream: true, debug: { echo_upstream_body: true } };

/** A hosted tool that nothing runs and a tool that nothing finds, as the other dialects have them. */
const otherDoors = [
  {
    dialect: 'chat-completions',
    hosted: { type: 'code_execution_20250825' },
    tool: { type: 'function', function: { name: 'weather', defer_loading: true } },
    // `tool_choice` of chat completions cannot name a hosted kind.
    choice: undefined,
  },
  {
    dialect: 'messages',
    hosted: { type: 'code_execution_20250825', name: 'find' },
    tool: { name: 'weather', input_schema: { type: 'object' }, defer_loading: true },
    choice: { type: 'tool', name: 'find' },
  },
] as const;

/** The model of each dialect. Where the endpoint applies no patches, the service checks them. */
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];

describe.each(models)('%s', (model) => {
  const leftOut = ['code_execution_20250825'];
  const call = { model, input: 'x', tools: [search, named, patch], tool_choice: 'auto' };

  test('is called without the hosted tools that nothing runs, and the answer names them', async () => {
    const reply = await routing.call(call, { client: { wantsMetadata: true } });
    const answer = JSON.parse(await textOf(reply)) as {
      readonly service_metadata: { readonly pipeline: readonly object[] };
      readonly tools: readonly { readonly type: string }[];
    };
    equal(reply.status, 200);
    deepEqual(answer.service_metadata.pipeline, [
      {
        type: 'server_tools',
        name: 'server-tools',
        summary: `left out, because nothing runs them: ${leftOut.join(', ')}`,
        data: { left_out: leftOut },
      },
    ]);
    equal(
      reply.headers['x-service-warnings'],
      leftOut.map((kind) => `tool ${kind} left out`).join(', '),
    );
    deepEqual(
      answer.tools.map(({ type }) => type),
      ['function', 'apply_patch'],
    );
  });

  test('gets the other tools in a stream, too', async () => {
    const reply = await routing.call({ ...call, ...debug });
    const sent = JSON.stringify((await eventsOf(reply))[0]);
    ok(sent.includes('weather') && !sent.includes('fusion'), sent);
    ok(sent.includes('apply_patch'));
    ok(reply.headers['x-service-warnings']?.includes('tool code_execution_20250825 left out'));
  });

  test.each<[string, object, object]>([
    ['alone', { tools: [search] }, {}],
    ['in strict mode', { unsupported_features: 'strict' }, {}],
    ['in strict mode of the headers', {}, { client: { unsupportedFeatures: 'strict' } }],
  ])('refuses one %s', async (_, fields, options) => {
    const reply = await routing.call({ ...call, ...fields }, options);
    equal(reply.status, 400);
    const { message } = await errorOf(reply);
    equal(
      message,
      'Invalid request: tools[0].type: the tool code_execution_20250825 is known, but not available yet',
    );
  });

  test.each(otherDoors)('is called without them by $dialect, too', async (door) => {
    const { dialect, hosted, tool, choice } = door;
    const messages = [{ role: 'user', content: 'x' }];
    const body = { model, messages, max_tokens: 50, tools: [hosted, tool] };
    const options = { dialect, client: { wantsMetadata: true } } as const;
    const reply = await routing.call(body, options);
    const text = await textOf(reply);
    equal(
      reply.headers['x-service-warnings'],
      `defer_loading has no effect: all tools are offered at once; tool ${hosted.type} left out`,
    );
    ok(text.includes(`"data":{"left_out":["${hosted.type}"]}`), text);
    for (const fields of [{ tools: [hosted] }, ...(choice ? [{ tool_choice: choice }] : [])]) {
      const refused = await routing.call({ ...body, ...fields }, options);
      const { message } = await errorOf(refused);
      ok(message.startsWith(`Invalid request: tools[0].type: the tool ${hosted.type}`), message);
    }
  });

  test('takes the word of the body before that of the headers', async () => {
    const fields = { ...call, unsupported_features: 'lenient' };
    const reply = await routing.call(fields, { client: { unsupportedFeatures: 'strict' } });
    equal(reply.status, 200, await textOf(reply));
  });
});
