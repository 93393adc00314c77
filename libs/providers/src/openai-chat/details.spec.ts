import type { InferenceRequest, InputItem, ReasoningItem, StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { compatibleChat, openRouterChat, type Endpoint } from '../endpoint.ts';
import { prepareCall } from '../prepare-request.ts';
import { readStream } from '../testing/read-stream.ts';
import { openAiChatTranslator } from './openai-chat.ts';

type Detail = Readonly<Record<string, unknown>>;

/** Returns the parts of the thoughts in a stream of deltas, which ends with a text. */
function thoughtsOf(...deltas: readonly object[]): readonly StreamPart[] {
  const events = [...deltas, { content: 'a' }].map((delta) => ({ id: 'x', choices: [{ delta }] }));
  const stop = { id: 'x', choices: [{ delta: {}, finish_reason: 'stop' }] };
  const text = [...events, stop].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const parts = readStream(openAiChatTranslator, [Buffer.from(`${text}data: [DONE]\n\n`)]);
  return parts.filter(({ type }) => type.startsWith('reasoning'));
}
const told = (detail: Detail, reasoning?: string) => ({
  ...(reasoning !== undefined && { reasoning }),
  reasoning_details: [detail],
});
const claude = { format: 'anthropic-claude-v1', index: 0 };

describe('the details of thoughts, as OpenRouter sends them', () => {
  test('are told once, with the signature', () => {
    const parts = thoughtsOf(
      told({ type: 'reasoning.text', text: 'h', ...claude }, 'h'),
      told({ type: 'reasoning.text', text: 'm', ...claude }, 'm'),
      told({ type: 'reasoning.text', signature: 's', ...claude }),
    );
    const { format } = claude;
    expect(parts).toEqual([
      { type: 'reasoning-start', part: 0, format },
      { type: 'reasoning-delta', part: 0, delta: 'h' },
      { type: 'reasoning-delta', part: 0, delta: 'm' },
      { type: 'reasoning-end', part: 0, replay: { format, signature: 's' } },
    ]);
  });

  test('may be a summary and something that its maker alone reads', () => {
    const format = 'openai-responses-v1';
    const parts = thoughtsOf(
      told({ type: 'reasoning.summary', summary: 'hm', format }, 'hm'),
      told({ type: 'reasoning.encrypted', data: 'e', format }),
    );
    expect(parts).toEqual([
      { type: 'reasoning-start', part: 0, format },
      { type: 'reasoning-summary-delta', part: 0, summary: 0, delta: 'hm' },
      { type: 'reasoning-end', part: 0, replay: { format, encrypted: 'e' } },
    ]);
  });

  test('of another index are another thought', () => {
    const parts = thoughtsOf(
      told({ type: 'reasoning.text', text: 'a', signature: 's', ...claude }),
      told({ type: 'reasoning.text', text: 'b', signature: 't', ...claude, index: 1 }),
    );
    expect(parts.flatMap((part) => (part.type === 'reasoning-end' ? part.replay : []))).toEqual([
      expect.objectContaining({ signature: 's' }),
      expect.objectContaining({ signature: 't' }),
    ]);
  });

  test('leave a text of thoughts alone that they do not tell', () => {
    const format = 'google-gemini-v1';
    expect(thoughtsOf(told({ type: 'reasoning.encrypted', data: 'e', format }, 'hm'))).toEqual([
      { type: 'reasoning-start', part: 0, format },
      { type: 'reasoning-delta', part: 0, delta: 'hm' },
      { type: 'reasoning-end', part: 0, replay: { format, encrypted: 'e' } },
    ]);
  });

  test.each<[string, unknown]>([
    ['none', []],
    ['no list', 'x'],
    ['an unknown kind', [{ type: 'reasoning.server_tool_call' }, null, 1]],
    ['no content', [{ type: 'reasoning.text' }]],
  ])('say nothing if there is nothing in them: %s', (_, details) => {
    expect(thoughtsOf({ reasoning_details: details })).toEqual([]);
  });

  test('of an unknown format are plain text', () => {
    const detail = { type: 'reasoning.text', text: 'hm', format: 'MiniMax-response-v1' };
    expect(thoughtsOf(told(detail)).at(-1)).toMatchObject({ replay: { format: 'unknown' } });
    const repeated = { ...detail, text: 'hmhm' };
    expect(thoughtsOf(told(detail, 'hm'), told(repeated, 'hm'))).toEqual([
      { type: 'reasoning-start', part: 0 },
      { type: 'reasoning-delta', part: 0, delta: 'hm' },
      { type: 'reasoning-delta', part: 0, delta: 'hm' },
      { type: 'reasoning-end', part: 0, replay: { format: 'unknown' } },
    ]);
  });
});

describe('the details of earlier thoughts', () => {
  const request = (items: readonly InputItem[]): InferenceRequest => ({
    items,
    tools: [],
    toolChoice: { type: 'auto' },
    parallelToolCalls: undefined,
    maxOutputTokens: undefined,
    temperature: undefined,
    topP: undefined,
    stream: false,
  });
  const sent = (items: readonly InputItem[], chat = openRouterChat): unknown => {
    const endpoint: Endpoint = {
      provider: 'p',
      dialect: 'openai-chat',
      baseUrl: 'http://a',
      apiKey: undefined,
      upstreamModel: 'm',
      chat,
    };
    const { body } = prepareCall(openAiChatTranslator, endpoint, request(items));
    return (JSON.parse(JSON.stringify(body)) as { messages: unknown }).messages;
  };
  const thought = (about: Partial<ReasoningItem>): ReasoningItem => ({
    type: 'reasoning',
    id: 'r',
    summary: [],
    content: [],
    encrypted: undefined,
    signature: undefined,
    format: undefined,
    ...about,
  });
  const call = (callId: string): InputItem => ({
    type: 'function-call',
    callId,
    name: 'f',
    arguments: '{}',
  });
  const answer = (callId: string): InputItem => ({
    type: 'function-call-output',
    callId,
    output: '',
  });
  const signed = thought({ content: ['hm'], signature: 's', format: 'anthropic-claude-v1' });

  test('go back to a server that takes them, in their order', () => {
    const sealed = thought({ summary: ['b'], encrypted: 'e', format: 'openai-responses-v1' });
    const format = 'openai-responses-v1';
    expect(sent([signed, sealed, call('c'), answer('c')])).toMatchObject([
      {
        role: 'assistant',
        reasoning_details: [
          { type: 'reasoning.text', text: 'hm', signature: 's', ...claude },
          { type: 'reasoning.summary', summary: 'b', format, index: 1 },
          { type: 'reasoning.encrypted', data: 'e', format, index: 1 },
        ],
      },
      { role: 'tool' },
    ]);
  });

  test('name the call that a signature of Gemini belongs to', () => {
    const of = (encrypted: string) => thought({ encrypted, format: 'google-gemini-v1' });
    const items = [of('e'), call('c'), of('f'), call('d'), answer('c'), answer('d')];
    expect(sent(items)).toMatchObject([
      {
        reasoning_details: [
          { id: 'c', data: 'e', index: 0 },
          { id: 'd', data: 'f', index: 1 },
        ],
      },
      {},
      {},
    ]);
  });

  test('stay away from other servers, and are none if nobody wants them back', () => {
    const said: InputItem = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'a' }],
    };
    expect(JSON.stringify(sent([signed, said], compatibleChat))).not.toContain('reasoning');
    expect(JSON.stringify(sent([thought({ content: ['hm'] }), said]))).not.toContain('reasoning');
  });
});
