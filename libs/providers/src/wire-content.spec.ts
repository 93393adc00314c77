import type { ContentPart, InferenceRequest, InputItem, ModelOptions } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { wireBody } from './wire-body.ts';
import { canRun } from './abilities.ts';

const endpoint = { provider: 'p', baseUrl: 'http://a', apiKey: undefined, upstreamModel: 'm' };
const request = (fields: Partial<InferenceRequest>): InferenceRequest => ({
  items: [],
  tools: [],
  toolChoice: { type: 'auto' },
  parallelToolCalls: undefined,
  maxOutputTokens: undefined,
  temperature: undefined,
  topP: undefined,
  stream: false,
  ...fields,
});
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const responses = (fields: Partial<InferenceRequest>): unknown =>
  plain(wireBody({ ...endpoint, dialect: 'openai-responses' }, request(fields)));
const chat = (fields: Partial<InferenceRequest>): unknown =>
  plain(wireBody({ ...endpoint, dialect: 'openai-chat' }, request(fields)));

const png = { type: 'data', mediaType: 'image/png', base64: 'aGk=' } as const;
const pdf = { type: 'data', mediaType: 'application/pdf', base64: 'aGk=' } as const;
const url = { type: 'url', url: 'https://a.example/b' } as const;
const id = { type: 'id', id: 'file-1' } as const;

describe('content', () => {
  test.each<[ContentPart, unknown, unknown]>([
    [
      { type: 'image', source: png, detail: 'original' },
      { type: 'input_image', detail: 'high', image_url: 'data:image/png;base64,aGk=' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=', detail: 'high' } },
    ],
    [
      { type: 'image', source: url, detail: 'low' },
      { type: 'input_image', detail: 'low', image_url: url.url },
      { type: 'image_url', image_url: { url: url.url, detail: 'low' } },
    ],
    [
      { type: 'file', source: pdf, filename: 'a.pdf' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
      {
        type: 'file',
        file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
      },
    ],
    [
      { type: 'file', source: id, filename: undefined },
      { type: 'input_file', file_id: 'file-1' },
      { type: 'file', file: { file_id: 'file-1' } },
    ],
    [
      { type: 'audio', data: 'aGk=', format: 'wav' },
      { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
      { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
    ],
    [
      { type: 'video', source: url },
      { type: 'input_video', video_url: url.url },
      { type: 'video_url', video_url: { url: url.url } },
    ],
    [
      { type: 'text', text: 'a', cache: { ttl: '5m' } },
      { type: 'input_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
    ],
  ])('has the wire format of the dialect: %o', (part, inResponses, inChat) => {
    const items: readonly InputItem[] = [{ type: 'message', role: 'user', content: [part] }];
    expect(responses({ items })).toMatchObject({ input: [{ content: [inResponses] }] });
    expect(chat({ items })).toMatchObject({ messages: [{ content: [inChat] }] });
  });

  test('of a tool answer follows in a user message if the dialect allows only text in tool answers', () => {
    const output: readonly ContentPart[] = [
      { type: 'text', text: 'see' },
      { type: 'image', source: url, detail: 'auto' },
    ];
    const called = { type: 'function-call', callId: 'c', name: 'f', arguments: '{}' } as const;
    const items: readonly InputItem[] = [
      called,
      { type: 'function-call-output', callId: 'c', output },
    ];
    expect(chat({ items })).toMatchObject({
      messages: [
        { tool_calls: [{}] },
        { role: 'tool', tool_call_id: 'c', content: 'see' },
        { role: 'user', content: [{ type: 'image_url' }] },
      ],
    });
    expect(responses({ items })).toMatchObject({
      input: [{}, { type: 'function_call_output', output: [{ type: 'input_text' }, {}] }],
    });
  });
});

describe('options', () => {
  test.each<[ModelOptions, object, object]>([
    [{ topLogprobs: 3 }, { top_logprobs: 3 }, { logprobs: true, top_logprobs: 3 }],
    [
      { reasoning: { effort: 'high', summary: 'auto' } },
      { reasoning: { effort: 'high', summary: 'auto' } },
      { reasoning_effort: 'high' },
    ],
    [
      { reasoning: { isEnabled: false } },
      { reasoning: { effort: 'none' } },
      { reasoning_effort: 'none' },
    ],
    [
      { format: { type: 'json-object' }, verbosity: 'low' },
      { text: { format: { type: 'json_object' }, verbosity: 'low' } },
      { response_format: { type: 'json_object' }, verbosity: 'low' },
    ],
    [
      { serviceTier: 'fast', endUser: 'u', promptCacheKey: 'k' },
      { service_tier: 'priority', safety_identifier: 'u', prompt_cache_key: 'k' },
      { service_tier: 'priority', safety_identifier: 'u', prompt_cache_key: 'k' },
    ],
    [
      { includesEncryptedReasoning: true, include: ['a'] },
      { include: ['a', 'reasoning.encrypted_content'] },
      {},
    ],
  ])('have the wire format of the dialect: %o', (options, inResponses, inChat) => {
    expect(responses({ options })).toEqual(
      expect.objectContaining({ model: 'm', store: false, ...inResponses }),
    );
    expect(chat({ options })).toEqual({ model: 'm', messages: [], ...inChat });
  });

  test('that the client omitted are not sent', () => {
    expect(responses({})).toEqual({ model: 'm', input: [], store: false });
    expect(chat({})).toEqual({ model: 'm', messages: [] });
  });

  test('include the name of a schema', () => {
    const schema = { type: 'object' };
    const format = {
      type: 'json-schema',
      name: 'a',
      description: 'd',
      schema,
      strict: true,
    } as const;
    const said = { name: 'a', description: 'd', schema, strict: true };
    expect(responses({ options: { format } })).toMatchObject({
      text: { format: { type: 'json_schema', ...said } },
    });
    expect(chat({ options: { format } })).toMatchObject({
      response_format: { type: 'json_schema', json_schema: said },
    });
  });
});

describe('a feature of one dialect', () => {
  const native = {
    type: 'native',
    item: { type: 'mcp_call', id: 'm' },
    text: '[mcp_call]',
  } as const;
  const thought = {
    type: 'reasoning',
    id: 'rs_1',
    summary: ['s'],
    content: ['c'],
    encrypted: 'x',
    signature: undefined,
    format: 'openai-responses-v1',
  } as const;

  test('reaches its own dialect unchanged, and others as text', () => {
    expect(responses({ items: [native] })).toMatchObject({ input: [native.item] });
    expect(chat({ items: [native, { ...native, text: '' }] })).toMatchObject({
      messages: [{ role: 'assistant', content: '[mcp_call]' }],
    });
  });

  test('thoughts are replayed only to the dialect that wrote them', () => {
    const said = { type: 'message', role: 'assistant', content: [] } as const;
    expect(responses({ items: [thought, said] })).toMatchObject({
      input: [{ type: 'reasoning', summary: [{ text: 's' }], encrypted_content: 'x' }, {}],
    });
    const foreign = { ...thought, format: 'anthropic-claude-v1' };
    expect(responses({ items: [foreign, said] })).toMatchObject({ input: [{ type: 'message' }] });
    expect(chat({ items: [thought, said] })).toMatchObject({ messages: [{ role: 'assistant' }] });
  });

  test('tools that the provider runs need an endpoint of that dialect', () => {
    const tools = [{ type: 'native', tool: { type: 'file_search' } }] as const;
    expect(canRun({ dialect: 'openai-responses' }, request({ tools }))).toBe(true);
    expect(canRun({ dialect: 'openai-chat' }, request({ tools }))).toBe(false);
    expect(canRun({ dialect: 'openai-chat' }, request({ items: [native] }))).toBe(true);
  });

  test('custom tools become functions with one text parameter in other dialects', () => {
    const tools = [{ type: 'custom', name: 'sql', description: 'd', format: undefined }] as const;
    const items: readonly InputItem[] = [
      { type: 'custom-tool-call', callId: 'c', name: 'sql', input: 'SELECT 1' },
      { type: 'custom-tool-call-output', callId: 'c', output: 'one' },
    ];
    expect(responses({ tools, items })).toMatchObject({
      tools: [{ type: 'custom', name: 'sql' }],
      input: [{ type: 'custom_tool_call', input: 'SELECT 1' }, { type: 'custom_tool_call_output' }],
    });
    expect(chat({ tools, items, toolChoice: { type: 'custom', name: 'sql' } })).toMatchObject({
      tools: [{ type: 'function', function: { name: 'sql', parameters: { required: ['input'] } } }],
      tool_choice: { type: 'function', function: { name: 'sql' } },
      messages: [
        { role: 'assistant', tool_calls: [{ function: { arguments: '{"input":"SELECT 1"}' } }] },
        { role: 'tool', content: 'one' },
      ],
    });
  });

  test('in other dialects a list of allowed tools omits the other tools', () => {
    const named = (name: string) =>
      ({
        type: 'function',
        name,
        description: undefined,
        parameters: undefined,
        strict: undefined,
      }) as const;
    const toolChoice = { type: 'allowed', mode: 'required', tools: [{ name: 'g' }] } as const;
    const tools = [named('f'), named('g')];
    expect(responses({ tools, toolChoice })).toMatchObject({
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ name: 'g' }] },
    });
    const said = chat({ tools, toolChoice }) as { tools: unknown[] };
    expect(said).toMatchObject({ tools: [{ function: { name: 'g' } }], tool_choice: 'required' });
    expect(said.tools).toHaveLength(1);
  });
});
