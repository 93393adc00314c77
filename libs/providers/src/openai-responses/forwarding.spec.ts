import type { ContentPart, InferenceRequest, ModelOptions } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { prepareCall } from '../prepare-request.ts';
import { canChangeEffort, canFillPrompts, canSay } from '../abilities.ts';
import { anthropicMessagesTranslator } from '../anthropic-messages/anthropic-messages.ts';
import {
  type ChatOptions,
  compatibleChat,
  dialects,
  type Endpoint,
  openRouterChat,
} from '../endpoint.ts';
import { openAiChatTranslator } from '../openai-chat/openai-chat.ts';
import type { Translator } from '../translation.ts';
import { openAiResponsesTranslator } from './openai-responses.ts';

const endpoint: Endpoint = {
  provider: 'p',
  dialect: 'openai-responses',
  baseUrl: 'http://a',
  apiKey: undefined,
  upstreamModel: 'm',
};
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
const body = (
  fields: Partial<InferenceRequest>,
  translator: Translator = openAiResponsesTranslator,
): unknown => JSON.parse(JSON.stringify(prepareCall(translator, endpoint, request(fields)).body));
const optional = (options: ModelOptions) => body({ options });
const called = { type: 'function-call', callId: 'a', name: 'f', arguments: '{}' } as const;
const answered = { type: 'function-call-output', callId: 'a', output: 'x' } as const;
const tool = {
  type: 'function',
  name: 'f',
  description: undefined,
  parameters: undefined,
  strict: undefined,
} as const;
const custom = { type: 'custom', name: 'sql', description: undefined, format: undefined } as const;

describe('the responses API gets', () => {
  test('a stored prompt, with or without further input', () => {
    const variables = {
      city: 'Berlin',
      picture: { type: 'image', source: { type: 'id', id: 'file-1' }, detail: 'auto' },
    } as const;
    expect(body({ prompt: { id: 'p', version: '2', variables } })).toEqual({
      model: 'm',
      prompt: {
        id: 'p',
        version: '2',
        variables: {
          city: 'Berlin',
          picture: { type: 'input_image', detail: 'auto', file_id: 'file-1' },
        },
      },
      store: false,
    });
    const said = { type: 'message', role: 'user', content: [{ type: 'text', text: 'x' }] } as const;
    const prompt = { id: 'p', version: undefined, variables: {} };
    expect(body({ prompt, items: [said] })).toEqual({
      model: 'm',
      prompt: { id: 'p' },
      input: [{ type: 'message', role: 'user', content: 'x' }],
      store: false,
    });
  });

  test('the namespace of a call, which other dialects have in its name', () => {
    const items = [{ ...called, namespace: 'crm' }, answered];
    expect(body({ items })).toMatchObject({
      input: [{ type: 'function_call', name: 'f', namespace: 'crm' }, {}],
    });
    expect(body({ items }, openAiChatTranslator)).toMatchObject({
      messages: [{ tool_calls: [{ function: { name: 'crm__f' } }] }, { role: 'tool' }],
    });
  });

  test('the async flag of a tool, which other dialects omit', () => {
    const tools = [{ ...tool, isAsync: true }, custom];
    expect(body({ tools })).toMatchObject({
      tools: [
        { type: 'function', name: 'f', async: true },
        { type: 'custom', name: 'sql' },
      ],
    });
    expect(JSON.stringify(body({ tools: [tool, custom] }))).not.toContain('async');
    expect(JSON.stringify(body({ tools }, openAiChatTranslator))).not.toContain('async');
  });

  test('the choice of a native tool unchanged, and each allowed tool with its kind', () => {
    const tools = [tool, custom, { type: 'native', tool: { type: 'apply_patch' } }] as const;
    expect(
      body({ tools, toolChoice: { type: 'native', tool: { type: 'apply_patch' } } }),
    ).toMatchObject({ tool_choice: { type: 'apply_patch' } });
    const toolChoice = {
      type: 'allowed',
      mode: 'auto',
      tools: [{ name: 'f' }, { name: 'sql' }],
      natives: [{ type: 'apply_patch' }],
    } as const;
    expect(body({ tools, toolChoice })).toMatchObject({
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [
          { type: 'function', name: 'f' },
          { type: 'custom', name: 'sql' },
          { type: 'apply_patch' },
        ],
      },
    });
  });

  test('the lifetime of cache breakpoints and the thoughts context', () => {
    expect(optional({ hasExplicitCacheOnly: true, promptCacheTtl: '30m' })).toMatchObject({
      prompt_cache_options: { mode: 'explicit', ttl: '30m' },
    });
    expect(optional({ thoughtsContext: 'all_turns' })).toMatchObject({
      reasoning: { context: 'all_turns' },
    });
    const elsewhere = { thoughtsContext: 'all_turns', promptCacheTtl: '30m' } as const;
    expect(body({ options: elsewhere }, openAiChatTranslator)).toEqual({
      model: 'm',
      messages: [],
    });
  });

  test('the include value for log probabilities, once', () => {
    const include = ['message.output_text.logprobs'];
    expect(optional({ topLogprobs: 2 })).toMatchObject({ top_logprobs: 2, include });
    expect(optional({ topLogprobs: 2, include })).toMatchObject({ include });
    expect(optional({ topLogprobs: 2, include })).toHaveProperty('include.length', 1);
  });

  test('the maximum number of native tool calls', () => {
    expect(optional({ nativeCallsMax: 3 })).toMatchObject({ max_tool_calls: 3 });
    expect(optional({})).not.toHaveProperty('max_tool_calls');
    const native = (type: string) => body({ tools: [{ type: 'native', tool: { type } }] });
    expect(native('file_search')).toMatchObject({ max_tool_calls: 3 });
    expect(native('apply_patch')).not.toHaveProperty('max_tool_calls', 3);
  });

  test('high verbosity instead of higher levels', () => {
    for (const verbosity of ['high', 'xhigh', 'max'] as const) {
      expect(optional({ verbosity })).toMatchObject({ text: { verbosity: 'high' } });
      expect(body({ options: { verbosity } }, openAiChatTranslator)).toMatchObject({
        verbosity: 'high',
      });
    }
  });

  test('the processing option of a video', () => {
    const source = { type: 'url', url: 'https://a.example/b' } as const;
    const video = { type: 'video', source, processing: 'agentic' } as const;
    expect(body({ items: [{ type: 'message', role: 'user', content: [video] }] })).toMatchObject({
      input: [{ content: [{ type: 'input_video', video_url: source.url, processing: 'agentic' }] }],
    });
  });
});

test('chat completions refuse images by id, and only some dialects accept audio and video', () => {
  const saying = (part: ContentPart) => {
    const asked = request({ items: [{ type: 'message', role: 'user', content: [part] }] });
    return dialects.filter((dialect) => canSay({ dialect }, asked));
  };
  const source = { type: 'id', id: 'file-1' } as const;
  const all = new Set(dialects);
  expect(new Set(saying({ type: 'image', source, detail: 'auto' }))).toEqual(
    all.difference(new Set(['openai-chat'])),
  );
  expect(new Set(saying({ type: 'file', source, filename: undefined }))).toEqual(all);
  for (const part of [
    { type: 'video', source } as const,
    { type: 'audio', data: 'aGk=', format: 'wav' } as const,
  ])
    expect(new Set(saying(part))).toEqual(all.difference(new Set(['anthropic-messages'])));
});

test('a cache breakpoint on a text, an image or a file has the field of its provider', () => {
  const cache = { ttl: '1h' } as const;
  const source = { type: 'url', url: 'https://a.example/b' } as const;
  const content: readonly ContentPart[] = [
    { type: 'text', text: 'x', cache },
    { type: 'image', source, detail: 'auto', cache },
    { type: 'file', source, filename: 'f', cache },
  ];
  const items = [{ type: 'message', role: 'user', content }] as const;
  const marks = (translator: Translator, chat?: ChatOptions) =>
    JSON.stringify(
      prepareCall(translator, { ...endpoint, ...(chat && { chat }) }, request({ items })).body,
    ).match(/"(?:prompt_cache_breakpoint|cache_control)":{[^}]*}/g);
  const thrice = (mark: string) => [mark, mark, mark];
  const breakpoint = '"prompt_cache_breakpoint":{"mode":"explicit"}';
  expect(marks(openAiResponsesTranslator)).toEqual(thrice(breakpoint));
  expect(marks(openAiChatTranslator)).toEqual(thrice(breakpoint));
  expect(marks(openAiChatTranslator, openRouterChat)).toEqual(
    thrice('"cache_control":{"type":"ephemeral"}'),
  );
  expect(marks(anthropicMessagesTranslator)).toEqual(
    thrice('"cache_control":{"type":"ephemeral","ttl":"1h"}'),
  );
  // Other servers may refuse fields that they do not know.
  expect(marks(openAiChatTranslator, compatibleChat)).toBeNull();
  const text = [{ type: 'message', role: 'user', content: content.slice(0, 1) }] as const;
  const { body } = prepareCall(
    openAiChatTranslator,
    { ...endpoint, chat: compatibleChat },
    request({ items: text }),
  );
  expect(body).toMatchObject({ messages: [{ content: 'x' }] });
});

test('only the responses dialect has stored prompts and effort changes within a conversation', () => {
  for (const able of [canFillPrompts, canChangeEffort]) {
    expect(able({ dialect: 'openai-responses' })).toBe(true);
    for (const dialect of ['openai-chat', 'anthropic-messages', 'google-gemini'] as const)
      expect(able({ dialect })).toBe(false);
  }
});

test('a call in an answer keeps its namespace and its async flag', () => {
  const item = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
  const output = [{ ...item, namespace: 'crm', async: true }, item];
  const parts = openAiResponsesTranslator.whole({ id: 'r', status: 'completed', output });
  expect(parts.filter(({ type }) => type === 'tool-call-start')).toEqual([
    {
      type: 'tool-call-start',
      part: 0,
      callId: 'c',
      name: 'f',
      namespace: 'crm',
      isAsync: true,
    },
    { type: 'tool-call-start', part: 1, callId: 'c', name: 'f' },
  ]);
});
