import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { routingHarness, textOf, type RoutingHarness } from '../../testing/routing-harness.ts';

// A coding agent sends groups of tools and freeform tools. It gets its own names back from every dialect.

/** A server with the responses dialect of OpenAI, and functions alone. */
const catalogFile = (url: string) => `
providers: [{ slug: own, name: Own, dialect: openai-responses, functions_only: true, base_url: "${url}" }]
models:
  - id: own/model
    context_length: 128000
    endpoints:
      - provider: own
        upstream_model: echo
        input_modalities: [text, image]
        pricing: { prompt: "0.000001", completion: "0.000002" }
`;

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ catalogFile });
});
afterAll(() => routing.stop());

const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini', 'own/model'];
const parameters = {
  type: 'object',
  properties: { message: { type: 'string' } },
  required: ['message'],
  additionalProperties: false,
};
const longName = 'mcp__a_server_with_a_very_long_name_that_nobody_can_remember';
const tools = [
  { type: 'function', name: 'exec_command', description: 'Runs.', strict: false, parameters },
  {
    type: 'namespace',
    name: 'multi_agent_v1',
    description: 'Tools for spawning and managing sub-agents.',
    tools: [
      { type: 'function', name: 'spawn_agent', strict: false, parameters },
      { type: 'function', name: 'close_agent', strict: false, parameters },
    ],
  },
  {
    type: 'namespace',
    name: longName,
    description: 'd',
    tools: [{ type: 'function', name: 'spawn_agent', parameters }],
  },
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files. This is a FREEFORM tool.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch"' },
  },
  { type: 'web_search', external_web_access: true },
];
/** Fields that Codex sends beside. */
const codex = {
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { summary: 'auto' },
  store: false,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '01a20c9f-f26c-7820-ada0-e3c4e86adaad',
  client_metadata: { 'x-codex-window-id': 'w', turn_id: 't' },
};
const developer = {
  type: 'message',
  id: 'msg_1',
  role: 'developer',
  content: [{ type: 'input_text', text: 'You are a coding agent.' }],
};
const user = (text: string) => ({
  type: 'message',
  id: 'msg_2',
  role: 'user',
  content: [{ type: 'input_text', text }],
});

interface Item {
  readonly type: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly call_id?: string;
  readonly arguments?: string;
  readonly input?: string;
}

const call = async (body: object): Promise<readonly [number, string, string | undefined]> => {
  const reply = await routing.call({ tools, ...codex, ...body });
  return [reply.status, await textOf(reply), reply.headers['x-service-warnings']];
};

/** Returns the output of an answer, and the items that its stream opened. */
async function itemsOf(
  model: string,
  body: object,
  stream: boolean,
): Promise<{ readonly output: readonly Item[]; readonly opened: readonly Item[] }> {
  const [status, text] = await call({ model, stream, ...body });
  equal(status, 200, text);
  if (!stream) {
    const { output } = JSON.parse(text) as { readonly output: readonly Item[] };
    return { output, opened: output };
  }
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Event);
  const opened = events.filter(({ type }) => type === 'response.output_item.added');
  const last = events.find(({ type }) => type === 'response.completed');
  return { output: last?.response?.output ?? [], opened: opened.map(({ item }) => item as Item) };
}

interface Event {
  readonly type: string;
  readonly item?: Item;
  readonly response?: { readonly output: readonly Item[] };
}

const calls = (items: readonly Item[]) =>
  items
    .filter(({ type }) => type.endsWith('_call'))
    .map(({ type, namespace, name }) => [type, namespace, name]);
const modes = models.flatMap((model) => [[model, false] as const, [model, true] as const]);

describe.each(modes)('an agent at %s, streamed: %s', (model, stream) => {
  test('gets calls of its tools by their addresses', async () => {
    // The simulator calls a tool by the name that it has in the dialect.
    const asked = 'call spawn_agent call multi_agent_v1__spawn_agent call apply_patch';
    const { output, opened } = await itemsOf(model, { input: [developer, user(asked)] }, stream);
    const expected = [
      ['function_call', 'multi_agent_v1', 'spawn_agent'],
      ...(model === 'sim/echo' ? [['function_call', longName, 'spawn_agent']] : []),
      ['custom_tool_call', undefined, 'apply_patch'],
    ];
    deepEqual(calls(output), expected);
    deepEqual(calls(opened), expected);
    const [spawned] = output.filter(({ name }) => name === 'spawn_agent');
    deepEqual(Object.keys(JSON.parse(spawned?.arguments ?? '') as object), ['message']);
    const [patch] = output.filter(({ name }) => name === 'apply_patch');
    ok(patch?.input && !patch.input.includes('{'), patch?.input);
  });

  test('goes on after its calls, with an interrupted one, a picture and a text between', async () => {
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,aGk=' };
    const called = (id: string, name: string, more: object = {}) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: '{"message":"x"}',
      ...more,
    });
    const output = (id: string, said: unknown) => ({
      type: 'function_call_output',
      call_id: id,
      output: said,
    });
    const input = [
      developer,
      user('go'),
      called('1', 'spawn_agent', { namespace: 'multi_agent_v1' }),
      called('2', 'spawn_agent', { namespace: longName }),
      { type: 'custom_tool_call', call_id: '3', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'working' }] },
      output('1', [{ type: 'input_text', text: 'see' }, picture]),
      { type: 'custom_tool_call_output', call_id: '3', output: 'Done!' },
      output('2', 'x'.repeat(200_000)),
      called('4', 'exec_command'),
      user('stop! what happened?'),
    ];
    const [status, text, warning] = await call({ model, stream, input });
    equal(status, 200, text);
    ok(warning?.includes('call 4 of exec_command'), warning);
  });

  test('may force a tool of a namespace, or allow some', async () => {
    const input = [user('call multi_agent_v1__close_agent call close_agent')];
    const choice = { type: 'function', name: 'close_agent' };
    const forced = await itemsOf(model, { input: 'x', tool_choice: choice }, stream);
    const address = ['function_call', 'multi_agent_v1', 'close_agent'];
    deepEqual(calls(forced.output), [address]);
    const allowed = {
      type: 'allowed_tools',
      mode: 'required',
      tools: [{ type: 'namespace', name: 'multi_agent_v1' }],
    };
    const some = await itemsOf(model, { input, tool_choice: allowed }, stream);
    deepEqual(calls(some.output), [address]);
  });
});

test('tools that would have one name are refused for every model', async () => {
  const clash = [
    { type: 'function', name: 'a__b' },
    {
      type: 'namespace',
      name: 'a',
      description: 'd',
      tools: [{ type: 'function', name: 'b' }],
    },
  ];
  for (const model of models) {
    const [status, text] = await call({ model, input: 'x', tools: clash });
    equal(status, 400, text);
    ok(text.includes('b of the namespace a and the tool a__b'), text);
  }
});
