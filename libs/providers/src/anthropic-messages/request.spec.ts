import type { ContentPart, InferenceRequest, InputItem } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { prepareCall } from '../prepare-request.ts';
import { anthropicMessagesTranslator } from './anthropic-messages.ts';

const endpoint = {
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  baseUrl: 'https://a.example/v1',
  apiKey: undefined,
  upstreamModel: 'claude',
} as const;
const text = (value: string): ContentPart => ({ type: 'text', text: value });
const said = (role: 'system' | 'developer' | 'user' | 'assistant', ...content: ContentPart[]) =>
  ({ type: 'message', role, content }) as const;
const wire = (fields: Partial<InferenceRequest>): Record<string, unknown> => {
  const request: InferenceRequest = {
    items: [said('user', text('hi'))],
    tools: [],
    toolChoice: { type: 'auto' },
    parallelToolCalls: undefined,
    maxOutputTokens: 10_000,
    temperature: undefined,
    topP: undefined,
    stream: false,
    ...fields,
  };
  return JSON.parse(
    JSON.stringify(prepareCall(anthropicMessagesTranslator, endpoint, request).body),
  ) as Record<string, unknown>;
};
const tool = {
  type: 'function',
  name: 'f',
  description: 'd',
  parameters: { properties: { a: { type: 'string' } } },
  strict: true,
} as const;

describe('a messages request', () => {
  test('has no field that the client omitted', () => {
    expect(wire({})).toEqual({
      model: 'claude',
      max_tokens: 10_000,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    });
    expect(wire({ maxOutputTokens: undefined, stream: true })).toMatchObject({
      max_tokens: 4_096,
      stream: true,
    });
  });

  test('separates system texts, and alternates user and assistant', () => {
    const items: readonly InputItem[] = [
      said('system', text('be brief')),
      said('user', text('a')),
      said('developer', text('be kind')),
      said('user', text('b'), text('')),
      said('assistant', text('c')),
    ];
    expect(wire({ items })).toMatchObject({
      system: [{ text: 'be brief' }, { text: 'be kind' }],
      messages: [
        { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
        { role: 'assistant', content: [{ text: 'c' }] },
      ],
    });
  });

  test('with instructions alone sends them as a user message', () => {
    const body = wire({ items: [said('system', text('say hi'))] });
    expect(body).toMatchObject({ messages: [{ role: 'user', content: [{ text: 'say hi' }] }] });
    expect(body).not.toHaveProperty('system');
  });

  test('sends thoughts, calls and their answers, with answers first', () => {
    const thought = {
      type: 'reasoning',
      id: 'rs',
      summary: [],
      content: ['hm'],
      encrypted: undefined,
      signature: 's',
      format: 'anthropic-claude-v1',
    } as const;
    const items: readonly InputItem[] = [
      said('user', text('a')),
      thought,
      { ...thought, encrypted: 'x', signature: undefined },
      { ...thought, format: 'openai-responses-v1' },
      { type: 'function-call', callId: '1', name: 'f', arguments: '{"a":1}' },
      { type: 'custom-tool-call', callId: '2', name: 'sql', input: 'SELECT' },
      said('user', text('meanwhile')),
      { type: 'function-call-output', callId: '1', output: 'one' },
      { type: 'custom-tool-call-output', callId: '2', output: [text('two')] },
    ];
    expect(wire({ items })).toMatchObject({
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'redacted_thinking', data: 'x' },
            { type: 'tool_use', id: '1', name: 'f', input: { a: 1 } },
            { type: 'tool_use', id: '2', name: 'sql', input: { input: 'SELECT' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: '1', content: 'one' },
            { type: 'tool_result', tool_use_id: '2', content: [{ type: 'text', text: 'two' }] },
            { type: 'text', text: 'meanwhile' },
          ],
        },
      ],
    });
  });

  test.each<[ContentPart, object]>([
    [
      {
        type: 'image',
        source: { type: 'data', mediaType: 'image/png', base64: 'aGk=' },
        detail: 'low',
      },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
    ],
    [
      { type: 'image', source: { type: 'url', url: 'https://a' }, detail: 'auto' },
      { type: 'image', source: { type: 'url', url: 'https://a' } },
    ],
    [
      { type: 'file', source: { type: 'id', id: 'file_1' }, filename: 'a.pdf' },
      { type: 'document', title: 'a.pdf', source: { type: 'file', file_id: 'file_1' } },
    ],
    [
      {
        type: 'file',
        source: { type: 'data', mediaType: 'text/plain', base64: 'aGk=' },
        filename: undefined,
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' } },
    ],
  ])('sends images and documents: %o', (part, block) => {
    expect(wire({ items: [said('user', part)] })).toMatchObject({
      messages: [{ content: [block] }],
    });
  });

  test('sends tools and the tool choice', () => {
    expect(wire({ tools: [tool], parallelToolCalls: false })).toMatchObject({
      tools: [
        {
          name: 'f',
          description: 'd',
          input_schema: { type: 'object', properties: { a: { type: 'string' } } },
        },
      ],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    });
    const choice = (toolChoice: InferenceRequest['toolChoice']) =>
      wire({ tools: [tool, { ...tool, name: 'g' }], toolChoice });
    expect(choice({ type: 'required' })['tool_choice']).toEqual({ type: 'any' });
    expect(choice({ type: 'none' })['tool_choice']).toEqual({ type: 'none' });
    expect(choice({ type: 'function', name: 'f' })['tool_choice']).toEqual({
      type: 'tool',
      name: 'f',
    });
    const allowed = choice({ type: 'allowed', mode: 'required', tools: [{ name: 'g' }] });
    expect(allowed).toMatchObject({ tools: [{ name: 'g' }], tool_choice: { type: 'any' } });
    expect(allowed['tools']).toHaveLength(1);
    expect(wire({})).not.toHaveProperty('tool_choice');
  });

  test.each<[NonNullable<InferenceRequest['options']>['reasoning'], number, number | undefined]>([
    [undefined, 10_000, undefined],
    [{ effort: 'none' }, 10_000, undefined],
    [{ isEnabled: false, effort: 'high' }, 10_000, undefined],
    [{ isEnabled: true }, 10_000, 5_000],
    [{ effort: 'xhigh' }, 10_000, 9_500],
    [{ effort: 'high' }, 10_000, 8_000],
    [{ effort: 'minimal' }, 10_000, 1_024],
    [{ tokensMax: 2_000, effort: 'max' }, 10_000, 2_000],
    [{ tokensMax: 50_000 }, 10_000, 9_999],
    [{ effort: 'max' }, 1_000_000, 128_000],
    [{ effort: 'high' }, 1_024, undefined],
  ])(
    'has the wanted thinking budget if it fits: %o of %i',
    (reasoning, maxOutputTokens, budget) => {
      const options = reasoning ? { reasoning, topK: 3 } : { topK: 3 };
      const body = wire({ options, maxOutputTokens, temperature: 0.5 });
      if (budget === undefined) expect(body).toMatchObject({ temperature: 0.5, top_k: 3 });
      else expect(body).not.toHaveProperty('temperature');
      expect(body['thinking']).toEqual(
        budget === undefined ? undefined : { type: 'enabled', budget_tokens: budget },
      );
    },
  );

  test('has no thinking if a tool is forced, because the API refuses both', () => {
    const options = { reasoning: { effort: 'high' } } as const;
    const body = wire({ options, tools: [tool], toolChoice: { type: 'required' } });
    expect(body).not.toHaveProperty('thinking');
  });

  test('sends the answer format', () => {
    const schema = { type: 'object' };
    const format = {
      type: 'json-schema',
      name: 'a',
      description: undefined,
      schema,
      strict: true,
    } as const;
    expect(wire({ options: { format } })).toMatchObject({
      output_config: { format: { type: 'json_schema', schema } },
    });
    const body = wire({ options: { format: { type: 'json-object' } } });
    expect(JSON.stringify(body['system'])).toContain('JSON object');
  });

  test('clamps the temperature, and has a pseudonym of the end user', () => {
    expect(wire({ temperature: 1.7, options: { endUser: 'u' } })).toMatchObject({
      temperature: 1,
      metadata: { user_id: 'u' },
    });
  });

  test('marks the tools that are worth being cached, which come before all texts', () => {
    const tools = [{ ...tool, name: 'g' }, { ...tool, cache: { ttl: '1h' } } as const];
    expect(wire({ tools })['tools']).toEqual([
      expect.not.objectContaining({ cache_control: expect.anything() as unknown }),
      expect.objectContaining({ name: 'f', cache_control: { type: 'ephemeral', ttl: '1h' } }),
    ]);
    const marked = { type: 'text', text: 'a', cache: { ttl: '5m' } } as const;
    const items = Array.from({ length: 4 }, () => said('user', marked));
    expect(JSON.stringify(wire({ tools, items })['tools'])).not.toContain('cache_control');
  });

  test('has at most the last four cache breakpoints', () => {
    const marked = (value: string): ContentPart => ({
      type: 'text',
      text: value,
      cache: { ttl: '1h' },
    });
    const items = [said('system', marked('s')), said('user', ...['a', 'b', 'c', 'd'].map(marked))];
    const body = JSON.stringify(wire({ items }));
    expect(body.match(/cache_control/g)).toHaveLength(4);
    expect(body).toContain('{"type":"text","text":"s"}');
    expect(body).toContain('"cache_control":{"type":"ephemeral","ttl":"1h"}');
    const whole = wire({ options: { cache: { ttl: '5m' } } });
    expect(whole).toMatchObject({
      messages: [{ content: [{ cache_control: { type: 'ephemeral' } }] }],
    });
    const explicit = wire({ options: { cache: { ttl: '5m' }, hasExplicitCacheOnly: true } });
    expect(JSON.stringify(explicit)).not.toContain('cache_control');
  });

  test('has the headers of the API', () => {
    const own = { 'anthropic-version': '2023-06-01', 'x-api-key': 'k' };
    expect(anthropicMessagesTranslator.headers?.('k', [])).toEqual(own);
    expect(anthropicMessagesTranslator.headers?.('k', ['a', 'b'])).toEqual({
      ...own,
      'anthropic-beta': 'a,b',
    });
  });
});
