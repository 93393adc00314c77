import type { InferenceRequest, InputItem } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { canRun, isRunByProvider } from '../abilities.ts';
import { prepareCall } from '../prepare-request.ts';
import { anthropicMessagesTranslator } from './anthropic-messages.ts';
import { callIdOf } from './call-id.ts';

const endpoint = {
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  baseUrl: 'https://a.example/v1',
  apiKey: undefined,
  upstreamModel: 'claude',
} as const;
const user: InputItem = { type: 'message', role: 'user', content: [{ type: 'text', text: 'hi' }] };
interface Wire {
  readonly messages: readonly { readonly content: readonly Record<string, unknown>[] }[];
  readonly tools: readonly object[];
  readonly tool_choice: object;
}
const wire = (fields: Partial<InferenceRequest>): Wire => {
  const request: InferenceRequest = {
    items: [user],
    tools: [],
    toolChoice: { type: 'auto' },
    parallelToolCalls: undefined,
    maxOutputTokens: 10_000,
    temperature: undefined,
    topP: undefined,
    stream: false,
    ...fields,
  };
  const { body } = prepareCall(anthropicMessagesTranslator, endpoint, request);
  return JSON.parse(JSON.stringify(body)) as Wire;
};
const bash = { type: 'bash_20250124', name: 'bash' };
const call = (callId: string, text = '{}'): readonly InputItem[] => [
  { type: 'function-call', callId, name: 'f', arguments: text },
  { type: 'function-call-output', callId, output: 'ok' },
];

describe('a tool that Anthropic defines', () => {
  const tools = [
    { type: 'native', tool: bash, cache: { ttl: '5m' } },
    {
      type: 'function',
      name: 'f',
      description: 'd',
      parameters: {},
      strict: undefined,
      inputExamples: [{ a: 1 }],
      streamsEagerly: true,
    },
  ] as const;

  test('is sent as it came, beside functions with all that this dialect says of them', () => {
    expect(wire({ tools }).tools).toEqual([
      { ...bash, cache_control: { type: 'ephemeral' } },
      {
        name: 'f',
        description: 'd',
        input_schema: { type: 'object' },
        input_examples: [{ a: 1 }],
        eager_input_streaming: true,
      },
    ]);
    const toolChoice = { type: 'native', tool: bash } as const;
    // The API refuses thoughts before a tool that must be called.
    const options = { reasoning: { effort: 'high' } } as const;
    const forced = wire({ tools, toolChoice, options });
    expect(forced.tool_choice).toEqual({ type: 'tool', name: 'bash' });
    expect(forced).not.toHaveProperty('thinking');
  });

  test('is run by the client, and a function for other dialects, except the computer', () => {
    expect(isRunByProvider(bash.type)).toBe(false);
    expect(isRunByProvider('web_search_20250305')).toBe(true);
    expect(canRun({ dialect: 'anthropic-messages' }, { tools })).toBe(true);
    const search = { type: 'native', tool: { type: 'web_search_20250305' } } as const;
    expect(canRun({ dialect: 'anthropic-messages' }, { tools: [search] })).toBe(false);
    const computer = {
      type: 'native',
      tool: { type: 'computer_20250124', name: 'computer' },
    } as const;
    expect(canRun({ dialect: 'anthropic-messages' }, { tools: [computer] })).toBe(true);
    for (const other of [
      { dialect: 'openai-chat' },
      { dialect: 'openai-responses' },
      { dialect: 'google-gemini' },
      { dialect: 'anthropic-messages', hasFunctionsOnly: true },
    ] as const) {
      expect(canRun(other, { tools })).toBe(true);
      expect(canRun(other, { tools: [computer] })).toBe(false);
    }
  });
});

describe('the id of a call', () => {
  test('that the API refuses becomes another one, which the answer of the tool names too', () => {
    const items = [user, ...call('functions.f:0'), ...call('functions_f_0')];
    const blocks = wire({ items }).messages.flatMap(({ content }) => content);
    const ids = blocks.flatMap(({ id, tool_use_id: of }) => [id ?? of].filter(Boolean));
    expect(ids).toEqual([
      expect.stringMatching(/^functions_f_0_[0-9a-f]{12}$/),
      ids[0],
      'functions_f_0',
      'functions_f_0',
    ]);
  });

  test('is the same for the same id alone, and short', () => {
    const odd = ['', ':', '.', 'a:b', 'a.b', 'ä', '\n', 'x:'.repeat(300)];
    const ids = odd.map(callIdOf);
    expect(ids).toEqual(odd.map(callIdOf));
    expect(new Set(ids).size).toBe(odd.length);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(callIdOf('toolu_01-x')).toBe('toolu_01-x');
  });
});

test.each<[string, object]>([
  ['{"a":1}', { a: 1 }],
  ['', {}],
  [' ', {}],
  ['{"a":', { input: '{"a":' }],
  ['[1]', { input: '[1]' }],
  ['run ls', { input: 'run ls' }],
])('arguments are an object, or one text in an object: %s', (text, input) => {
  const [, turn] = wire({ items: [user, ...call('c', text)] }).messages;
  expect(turn?.content).toEqual([{ type: 'tool_use', id: 'c', name: 'f', input }]);
});

test('a call up to which the prompt is worth caching is marked', () => {
  const [made, answered] = call('c');
  const items = [user, { ...made, cache: { ttl: '1h' } } as InputItem, answered as InputItem];
  expect(wire({ items }).messages[1]?.content[0]).toMatchObject({
    cache_control: { type: 'ephemeral', ttl: '1h' },
  });
});

describe('a user who says nothing', () => {
  const said = (role: 'system' | 'user' | 'assistant', text: string): InputItem => ({
    type: 'message',
    role,
    content: [{ type: 'text', text }],
  });
  const silence = [{ type: 'text', text: '(The user says nothing.)' }];

  test.each(['', ' \n'])('takes a turn: %j', (nothing) => {
    const items = [said('system', 's'), said('user', nothing)];
    const body = wire({ items });
    expect(body).toMatchObject({ system: [{ text: 's' }] });
    expect(body.messages).toEqual([{ role: 'user', content: silence }]);
    const later = [said('user', 'a'), said('assistant', 'b'), said('user', nothing)];
    expect(wire({ items: later }).messages.at(-1)).toEqual({ role: 'user', content: silence });
  });

  test('says nothing beside what it says', () => {
    const items = [said('user', ''), said('user', 'a'), said('user', '')];
    expect(wire({ items }).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
    ]);
    expect(wire({ items: [] }).messages).toEqual([{ role: 'user', content: silence }]);
  });
});
