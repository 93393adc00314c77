import { equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { nativeItems, serviceItems } from '../../dialects/responses/testing/sample-items.ts';
import {
  errorOf,
  routingHarness,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

// The simulator refuses the same requests as the real providers. Each valid client request must pass.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const call = (id: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'get_weather',
  arguments: '{"city":"x"}',
});
const output = (id: string, said: unknown = 'sunny') => ({
  type: 'function_call_output',
  call_id: id,
  output: said,
});
const thought = (format: string) => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'hm' }],
  content: [{ type: 'reasoning_text', text: 'hm' }],
  signature: 'c2ln',
  encrypted_content: 'c2Vh',
  format,
});
const formats = ['openai-responses-v1', 'anthropic-claude-v1', 'google-gemini-v1', 'unknown'];
const marked = (text: string) => ({
  type: 'input_text',
  text,
  prompt_cache_breakpoint: { mode: 'explicit' },
});
const picture = { type: 'input_image', image_url: 'data:image/png;base64,aGk=' };
const tools = [
  {
    type: 'function',
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string', minLength: 1 } } },
  },
  { type: 'function', name: 'get_time', parameters: null },
  { type: 'custom', name: 'sql', description: 'd' },
];
const later = [{ ...tools[0], async: true }];
const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    list: {
      type: 'array',
      minItems: 3,
      items: { type: 'object', properties: { a: { type: 'string', pattern: '^a' } } },
    },
    choice: { oneOf: [{ type: 'string' }, { type: 'null' }] },
  },
};
const thinking = { reasoning: { effort: 'high' }, max_output_tokens: 8_000 };

const bodies: readonly (readonly [string, object])[] = [
  ['an assistant that speaks first', { input: [assistant('Hello!'), user('hi')] }],
  [
    'two of each voice',
    { input: [user('a'), user('b'), assistant('c'), assistant('d'), user('e')] },
  ],
  ['instructions alone', { instructions: 'Say hello.' }],
  [
    'system and developer in the middle',
    {
      input: [
        user('a'),
        { role: 'developer', content: 'b' },
        { role: 'system', content: 'c' },
        user('d'),
      ],
    },
  ],
  ['an answer to be gone on with', { input: [user('a'), assistant('The answer is \n')] }],
  [
    'empty texts',
    {
      input: [
        user(''),
        user('a'),
        assistant(''),
        user([
          { type: 'input_text', text: '' },
          { type: 'input_text', text: 'b' },
        ]),
      ],
    },
  ],
  [
    'answers that come late',
    {
      input: [user('a'), call('1'), call('2'), user('b'), output('2'), assistant('c'), output('1')],
      tools,
    },
  ],
  [
    'two answers to one call',
    { input: [user('a'), call('1'), output('1'), output('1', 'rain')], tools },
  ],
  ['a call that is not answered yet', { input: [user('a'), call('1'), user('b')], tools: later }],
  ['a call at the end', { input: [user('a'), call('1')], tools: later }],
  [
    'calls of several turns',
    {
      input: [user('a'), call('1'), output('1'), call('2'), output('2'), assistant('b'), user('c')],
      tools,
    },
  ],
  [
    'pictures that a tool answers with',
    {
      input: [user('a'), call('1'), output('1', [{ type: 'input_text', text: 'see' }, picture])],
      tools,
    },
  ],
  [
    'arguments that are no JSON',
    { input: [user('a'), { ...call('1'), arguments: 'nonsense' }, output('1')], tools },
  ],
  [
    'a custom tool',
    {
      input: [
        user('a'),
        { type: 'custom_tool_call', call_id: '1', name: 'sql', input: 'SELECT' },
        { type: 'custom_tool_call_output', call_id: '1', output: 'x' },
      ],
      tools,
    },
  ],
  ...formats.map((format): readonly [string, object] => [
    `thoughts of ${format} before a call`,
    { input: [user('a'), thought(format), call('1'), output('1')], tools, ...thinking },
  ]),
  [
    'thoughts that are lost in the middle of a turn',
    { input: [user('a'), call('1'), output('1')], tools, ...thinking },
  ],
  ['thoughts and a forced tool', { input: 'a', tools, tool_choice: 'required', ...thinking }],
  ['thoughts and sampling', { input: 'a', temperature: 0.3, top_p: 0.5, ...thinking }],
  [
    'thoughts with little room',
    { input: 'a', reasoning: { effort: 'low' }, max_output_tokens: 100 },
  ],
  [
    'a budget of thoughts',
    { input: 'a', reasoning: { max_tokens: 2_000 }, max_output_tokens: 4_000 },
  ],
  ['no thoughts', { input: 'a', reasoning: { effort: 'none' } }],
  ['both ways of sampling', { input: 'a', temperature: 1.8, top_p: 0.5 }],
  [
    'six places worth caching',
    {
      input: [user(['a', 'b', 'c', 'd', 'e', 'f'].map(marked))],
      cache_control: { type: 'ephemeral', ttl: '1h' },
    },
  ],
  [
    'a schema with all that is optional',
    { input: 'a', text: { format: { type: 'json_schema', name: 'a', schema } } },
  ],
  ['any JSON', { input: 'a JSON', text: { format: { type: 'json_object' } } }],
  [
    'one tool of its name',
    { input: 'a', tools, tool_choice: { type: 'function', name: 'get_time' } },
  ],
  [
    'one custom tool of its name',
    { input: 'a', tools, tool_choice: { type: 'custom', name: 'sql' } },
  ],
  [
    'some tools of several',
    {
      input: 'a',
      tools,
      tool_choice: {
        type: 'allowed_tools',
        mode: 'required',
        tools: [{ type: 'function', name: 'sql' }],
      },
    },
  ],
  ['no tool of several', { input: 'a', tools, tool_choice: 'none', parallel_tool_calls: false }],
  ['a pseudonym', { input: 'a', safety_identifier: 'somebody', prompt_cache_key: 'k' }],
  [
    'what other dialects did',
    {
      input: [
        user('a'),
        {
          type: 'web_search_call',
          id: 'ws_1',
          status: 'completed',
          action: { type: 'search', query: 'q' },
        },
        assistant('b'),
        user('c'),
      ],
    },
  ],
  ...[...nativeItems, ...serviceItems]
    .filter(({ type }) => type !== 'configuration_update')
    .map((item): readonly [string, object] => [
      `what a tool of another did: ${String(item['type'])}`,
      { input: [user('a'), { id: 'it_1', ...item }, user('b')] },
    ]),
  [
    'a call in a namespace',
    { input: [user('a'), { ...call('1'), namespace: 'crm' }, output('1'), user('b')], tools },
  ],
];

describe.each(['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'])('%s takes', (model) => {
  test.each(bodies)('%s', async (_, fields) => {
    for (const stream of [false, true]) {
      const reply = await routing.call({ model, stream, ...fields });
      if (reply.status !== 200) equal((await errorOf(reply)).message, 'no refusal');
      const text = await textOf(reply);
      ok(text.includes(stream ? 'event: response.completed' : '"status":"completed"'), text);
    }
  });
});
