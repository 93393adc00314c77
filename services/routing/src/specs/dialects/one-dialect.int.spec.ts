import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { nativeItems } from '../../dialects/responses/testing/sample-items.ts';
import {
  errorOf,
  eventsOf,
  routingHarness,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

// Requests that only one dialect can express: it gets them, and models behind the others refuse them.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const user = (content: unknown) => ({ role: 'user', content });
const weather = { type: 'function', name: 'get_weather', parameters: null };
const patch = { type: 'apply_patch' };
const crm = { type: 'namespace', name: 'crm', description: 'd', tools: [weather] };
const alone: readonly (readonly [string, object])[] = [
  ['a stored prompt', { prompt: { id: 'pmpt_1', version: '2', variables: { a: 'b' } } }],
  ['a change of the effort', { input: [user('a'), nativeItems.at(-1), user('b')] }],
  ['a tool of its own', { input: 'a', tools: [patch, { type: 'shell' }], tool_choice: patch }],
  [
    'one of a namespace',
    { input: 'a', tools: [crm], tool_choice: { type: 'function', name: 'get_weather' } },
  ],
  [
    'fields that only it supports',
    {
      input: 'a',
      reasoning: { context: 'all_turns' },
      prompt_cache_options: { mode: 'explicit', ttl: '30m' },
      text: { verbosity: 'max' },
      tools: [weather, patch],
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'get_weather' }, patch],
      },
    },
  ],
];

test.each(alone)('the responses dialect takes %s', async (_, fields) => {
  const reply = await routing.call({ model: 'sim/echo', ...fields });
  if (reply.status !== 200) equal((await errorOf(reply)).message, 'no refusal');
  ok((await textOf(reply)).includes('"status":"completed"'));
});

test('what a stored prompt is to be filled with reaches the one that keeps it', async () => {
  const prompt = { id: 'pmpt_1', variables: { city: 'Berlin' } };
  const reply = await routing.call({ model: 'sim/echo', prompt });
  const { output_text: said, prompt: repeated } = JSON.parse(await textOf(reply)) as {
    readonly output_text: string;
    readonly prompt: unknown;
  };
  ok(said.includes(JSON.stringify(prompt)), said);
  deepEqual(repeated, prompt);
});

test('what the client saw on its screen reaches the model that asked to see it', async () => {
  const input = [
    user('look'),
    {
      type: 'computer_call',
      id: 'cu_1',
      call_id: 'c',
      status: 'completed',
      pending_safety_checks: [{ id: 'sc', code: null, message: null }],
      actions: [{ type: 'screenshot' }],
    },
    {
      type: 'computer_call_output',
      call_id: 'c',
      output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
      acknowledged_safety_checks: [{ id: 'sc' }],
    },
  ];
  const reply = await routing.call({
    model: 'sim/echo',
    input,
    tools: [{ type: 'computer' }],
    tool_choice: { type: 'computer' },
    stream: true,
    debug: { echo_upstream_body: true },
  });
  const [first] = (await eventsOf(reply)) as readonly { readonly debug?: object }[];
  const sent = JSON.stringify(first);
  for (const said of [...input.slice(1), { type: 'computer' }])
    ok(sent.includes(JSON.stringify(said)), sent);
});

describe.each(['sim/chat', 'sim/messages', 'sim/gemini'])('%s', (model) => {
  test.each<[string, object, number, string]>([
    [
      'keeps no prompts',
      { prompt: { id: 'p' } },
      400,
      'Invalid request: prompt: stored prompts are not supported by this model',
    ],
    [
      'keeps no prompts, where that is demanded',
      { prompt: { id: 'p' }, provider: { require_parameters: true } },
      404,
      `No endpoint of ${model} meets provider.require_parameters`,
    ],
    [
      'does not change its effort',
      { input: [user('a'), nativeItems.at(-1), user('b')] },
      400,
      'Invalid request: input: the effort of this model cannot be changed in mid-conversation',
    ],
  ])('%s', async (_, fields, status, message) => {
    const reply = await routing.call({ model, ...fields });
    equal(reply.status, status);
    equal((await errorOf(reply)).message, message);
  });
});
