import type { InferenceRequest, InputItem, ReasoningItem } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { prepareCall } from './prepare-request.ts';
import { anthropicMessagesTranslator } from './anthropic-messages/anthropic-messages.ts';
import { deepSeekChat, mistralChat, type Endpoint } from './endpoint.ts';
import { googleGeminiTranslator } from './google-gemini/google-gemini.ts';
import { openAiChatTranslator } from './openai-chat/openai-chat.ts';
import type { Translator } from './translation.ts';
import { translators } from './wire-body.ts';

const endpoint: Endpoint = {
  provider: 'p',
  dialect: 'openai-chat',
  baseUrl: 'http://a',
  apiKey: undefined,
  upstreamModel: 'm',
};
const request = (fields: Partial<InferenceRequest>): InferenceRequest => ({
  items: [],
  tools: [],
  toolChoice: { type: 'auto' },
  parallelToolCalls: undefined,
  maxOutputTokens: 10_000,
  temperature: undefined,
  topP: undefined,
  stream: false,
  ...fields,
});
const body = (
  translator: Translator,
  fields: Partial<InferenceRequest>,
  target: Partial<Endpoint> = {},
): unknown =>
  JSON.parse(
    JSON.stringify(prepareCall(translator, { ...endpoint, ...target }, request(fields)).body),
  );
const anthropic = (fields: Partial<InferenceRequest>) => body(anthropicMessagesTranslator, fields);
const gemini = (items: readonly InputItem[], upstreamModel = 'gemini-3-pro') =>
  body(googleGeminiTranslator, { items }, { upstreamModel });

const said = (role: 'user' | 'assistant', text: string): InputItem => ({
  type: 'message',
  role,
  content: [{ type: 'text', text }],
});
const call: InputItem = { type: 'function-call', callId: 'call_1', name: 'f', arguments: '{}' };
const answer: InputItem = { type: 'function-call-output', callId: 'call_1', output: 'x' };
const thought = (format: string): ReasoningItem => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  content: ['hm'],
  encrypted: undefined,
  signature: 'sig',
  format,
});
const thinking = { reasoning: { effort: 'high' } } as const;

describe('a conversation', () => {
  test('that the assistant begins gets a first user message if the provider requires it', () => {
    const items = [said('assistant', 'Hello!'), said('user', 'hi')];
    expect(anthropic({ items })).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }],
    });
    expect(gemini(items)).toMatchObject({
      contents: [{ role: 'user' }, { role: 'model' }, { role: 'user' }],
    });
  });

  test('with late answers has them after their calls, in every dialect of turns', () => {
    const items = [said('user', 'a'), call, said('user', 'b'), answer];
    expect(body(openAiChatTranslator, { items })).toMatchObject({
      messages: [{}, { tool_calls: [{}] }, { role: 'tool' }, { role: 'user', content: 'b' }],
    });
    expect(anthropic({ items })).toMatchObject({
      messages: [{}, {}, { content: [{ type: 'tool_result' }, { type: 'text', text: 'b' }] }],
    });
    expect(gemini(items)).toMatchObject({
      contents: [{}, {}, { parts: [{ functionResponse: {} }, { text: 'b' }] }],
    });
  });

  test('with many calls of one id contains their large answer once', () => {
    const output = 'x'.repeat(100_000);
    const calls = Array.from({ length: 100 }, () => [call, said('user', 'go on')]).flat();
    for (const answered of [
      [call, { ...answer, output }, ...calls],
      [...calls, { ...answer, output }],
    ])
      for (const translator of Object.values(translators)) {
        const sent = JSON.stringify(body(translator, { items: answered }));
        expect(sent.split(output).length).toBe(2);
        expect(sent.length).toBeLessThan(150_000);
      }
  });

  test('that ends with an assistant message has no white space at its end', () => {
    const items = [said('user', 'a'), said('assistant', 'The answer is \n')];
    expect(anthropic({ items })).toMatchObject({
      messages: [{}, { content: [{ text: 'The answer is' }] }],
    });
    expect(anthropic({ items: [said('user', 'a'), said('assistant', ' ')] })).toMatchObject({
      messages: [{ role: 'user' }],
    });
  });
});

describe('thinking on Anthropic', () => {
  test('is no end of a message: an item without words may follow it', () => {
    const silent = { type: 'native', item: { type: 'compaction' }, text: '' } as const;
    const items = [said('user', 'a'), thought('anthropic-claude-v1'), silent, said('user', 'b')];
    expect(anthropic({ items })).toMatchObject({
      messages: [{ role: 'user', content: [{ text: 'a' }, { text: 'b' }] }],
    });
  });

  const turn = [said('user', 'a'), call, answer];

  test('does not begin in the middle of a turn without replayed thoughts', () => {
    expect(anthropic({ items: turn, options: thinking })).not.toHaveProperty('thinking');
    const foreign = [said('user', 'a'), thought('google-gemini-v1'), call, answer];
    expect(anthropic({ items: foreign, options: thinking })).not.toHaveProperty('thinking');
  });

  test('continues after replayed thoughts, and in a new turn', () => {
    const items = [said('user', 'a'), thought('anthropic-claude-v1'), call, answer];
    expect(anthropic({ items, options: thinking })).toHaveProperty('thinking');
    const next = [...turn, said('assistant', 'x'), said('user', 'b')];
    expect(anthropic({ items: next, options: thinking })).toHaveProperty('thinking');
  });
});

describe('sampling on Anthropic', () => {
  test('uses temperature or top_p, never both', () => {
    expect(anthropic({ temperature: 0.5, topP: 0.9 })).not.toHaveProperty('top_p');
    expect(anthropic({ topP: 0.9 })).toMatchObject({ top_p: 0.9 });
  });
});

describe('a call without the signature of its thought', () => {
  const signed = (contents: unknown) =>
    JSON.stringify(contents).match(/"thoughtSignature":"(\w+)"/)?.[1];

  test('is sent to newer Gemini models with a placeholder', () => {
    expect(signed(gemini([said('user', 'a'), call, answer]))).toMatch(/^skip_/);
    expect(signed(gemini([said('user', 'a'), call, answer], 'gemini-2.5-pro'))).toBeUndefined();
  });

  test('needs no placeholder after a replayed thought or beside the first call', () => {
    const items = [said('user', 'a'), thought('google-gemini-v1'), call, { ...call, callId: 'c2' }];
    const sent = JSON.stringify(gemini(items));
    expect(signed(gemini(items))).toBe('sig');
    expect(sent.match(/thoughtSignature/g)).toHaveLength(1);
  });
});

describe('DeepSeek', () => {
  const thoughts = (items: readonly InputItem[], chat = deepSeekChat) => {
    const sent = body(openAiChatTranslator, { items }, { chat }) as {
      readonly messages: readonly { readonly role: string; readonly reasoning_content?: string }[];
    };
    return sent.messages.map(({ role, reasoning_content: thought }) => [role, thought]);
  };
  const items = [
    said('user', 'a'),
    thought('unknown'),
    call,
    answer,
    { ...thought('google-gemini-v1'), content: [], summary: ['so'] },
    said('assistant', 'b'),
    said('user', 'c'),
    said('assistant', 'd'),
  ];

  test('gets its thoughts with each assistant message, empty if they are unknown', () => {
    expect(thoughts(items)).toEqual([
      ['user', undefined],
      ['assistant', 'hm'],
      ['tool', undefined],
      ['assistant', 'so'],
      ['user', undefined],
      ['assistant', ''],
    ]);
  });

  test('is the only server that gets them, because others refuse the field', () => {
    expect(JSON.stringify(thoughts(items, mistralChat))).not.toMatch(/hm|so/);
  });
});

describe('Mistral', () => {
  const target = { chat: mistralChat };

  test('gets no stream_options, and call ids of nine characters', () => {
    const items = [said('user', 'a'), call, answer];
    const sent = body(openAiChatTranslator, { items, stream: true }, target);
    expect(sent).not.toHaveProperty('stream_options');
    expect(sent).toMatchObject({ stream: true, max_tokens: 10_000 });
    const [, called] = JSON.stringify(sent).match(/"tool_calls":\[{"id":"([a-zA-Z0-9]{9})"/) ?? [];
    expect(called).toBeDefined();
    expect(JSON.stringify(sent)).toContain(`"tool_call_id":"${called}"`);
  });
});
