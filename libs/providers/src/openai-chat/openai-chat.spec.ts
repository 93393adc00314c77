import { readFileSync } from 'node:fs';
import type { StreamPart } from '@sluice/inference';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergedParts } from '../testing/merged-parts.ts';
import { cutAt, readStream } from '../testing/read-stream.ts';
import { openAiChatTranslator } from './openai-chat.ts';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url));

const streamed = (name: string): readonly StreamPart[] =>
  readStream(openAiChatTranslator, [fixture(`${name}.sse`)]);

const lines = (...events: readonly string[]): Buffer =>
  Buffer.from(events.map((event) => `data: ${event}\n\n`).join(''));

const parts = (...events: readonly string[]): readonly StreamPart[] =>
  readStream(openAiChatTranslator, [lines(...events)]);

const expected: Readonly<Record<string, readonly StreamPart[]>> = {
  text: [
    { type: 'response-start', upstreamId: 'chatcmpl-A1' },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'Grüße' },
    { type: 'text-delta', part: 0, delta: ' 👋\n' },
    { type: 'text-end', part: 0 },
    {
      type: 'finish',
      reason: 'stop',
      nativeReason: 'stop',
      usage: { inputTokens: 19, cachedTokens: 16, outputTokens: 6, reasoningTokens: 0 },
      serviceTier: 'default',
    },
  ],
  'parallel-tool-calls': [
    { type: 'response-start', upstreamId: 'chatcmpl-B2' },
    { type: 'tool-call-start', part: 0, callId: 'call_paris', name: 'get_weather' },
    { type: 'tool-call-delta', part: 0, delta: '{"city":' },
    { type: 'tool-call-start', part: 1, callId: 'call_rome', name: 'get_weather' },
    { type: 'tool-call-delta', part: 1, delta: '{"city":"Rome"}' },
    { type: 'tool-call-delta', part: 0, delta: '"Paris"}' },
    { type: 'tool-call-end', part: 0 },
    { type: 'tool-call-end', part: 1 },
    {
      type: 'finish',
      reason: 'tool-calls',
      nativeReason: 'tool_calls',
      usage: { inputTokens: 80, cachedTokens: 0, outputTokens: 46, reasoningTokens: 0 },
    },
  ],
  'reasoning-cut-by-limit': [
    { type: 'response-start', upstreamId: 'c3' },
    { type: 'reasoning-start', part: 0 },
    { type: 'reasoning-delta', part: 0, delta: 'Let me ' },
    { type: 'reasoning-delta', part: 0, delta: 'think.' },
    { type: 'reasoning-end', part: 0, replay: { format: 'unknown' } },
    { type: 'text-start', part: 1 },
    { type: 'text-delta', part: 1, delta: 'The answ' },
    {
      type: 'finish',
      reason: 'length',
      nativeReason: 'length',
      usage: { inputTokens: 5, cachedTokens: 0, outputTokens: 8, reasoningTokens: 6 },
    },
  ],
  refusal: [
    { type: 'response-start', upstreamId: 'c4' },
    { type: 'refusal-start', part: 0 },
    { type: 'refusal-delta', part: 0, delta: 'I cannot' },
    { type: 'refusal-delta', part: 0, delta: ' help.' },
    { type: 'refusal-end', part: 0 },
    { type: 'finish', reason: 'stop', nativeReason: 'stop', usage: undefined },
  ],
  'error-after-text': [
    { type: 'response-start', upstreamId: 'c5' },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'Half a sen' },
    {
      type: 'error',
      code: 'provider_unavailable',
      message: 'Provider returned error',
      providerCode: 'engine_crashed',
      usage: undefined,
    },
  ],
};

const names = Object.keys(expected);

describe('a chat completion stream', () => {
  test.each(names)('%s gives the expected parts', (name) => {
    expect(streamed(name)).toEqual(expected[name]);
  });

  test.each(names)('%s gives the same parts however its bytes are cut', (name) => {
    const bytes = fixture(`${name}.sse`);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (places) => {
        expect(readStream(openAiChatTranslator, cutAt(bytes, places))).toEqual(expected[name]);
      }),
      { numRuns: 50 },
    );
  });

  test.each(names.filter((name) => name !== 'error-after-text'))(
    '%s gives the same parts as a whole body',
    (name) => {
      const body: unknown = JSON.parse(fixture(`${name}.json`).toString());
      expect(mergedParts(openAiChatTranslator.whole(body))).toEqual(mergedParts(streamed(name)));
    },
  );

  test('that is cut anywhere ends once, in an error or a finish', () => {
    const bytes = fixture('text.sse');
    for (let length = 0; length < bytes.length; length += 1) {
      const read = readStream(openAiChatTranslator, [bytes.subarray(0, length)]);
      const last = read.filter(({ type }) => type === 'finish' || type === 'error');
      expect(last).toEqual([read.at(-1)]);
    }
  });

  test('without [DONE] is cut, unless it has a finish reason', () => {
    const text = '{"id":"x","choices":[{"delta":{"content":"a"},"finish_reason":null}]}';
    const finish = '{"id":"x","choices":[{"delta":{},"finish_reason":"stop"}]}';
    expect(parts(text).at(-1)).toMatchObject({ type: 'error', code: 'provider_unavailable' });
    expect(parts(text, finish).at(-1)).toMatchObject({ type: 'finish', usage: undefined });
  });

  test('with [DONE] and no finish reason is cut, unless the usage came last, by itself', () => {
    const text = '{"id":"x","choices":[{"delta":{"content":"a"},"finish_reason":null}]}';
    const usage = '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}';
    expect(parts(text, '[DONE]').at(-1)).toMatchObject({ type: 'error' });
    expect(parts(text, usage, '[DONE]').at(-1)).toMatchObject({
      type: 'finish',
      nativeReason: undefined,
      usage: { outputTokens: 2 },
    });
    expect(parts(usage, text, '[DONE]').at(-1)).toMatchObject({ type: 'error' });
    expect(parts(text, usage).at(-1)).toMatchObject({ type: 'error' });
  });

  test('without any output is an error, even if it ends normally', () => {
    expect(parts('[DONE]')).toMatchObject([{ type: 'error' }]);
    expect(parts('{"id":"x","choices":[]}', '[DONE]').at(-1)).toMatchObject({ type: 'error' });
    const end = (reason: string): string =>
      `{"id":"x","choices":[{"delta":{"content":""},"finish_reason":"${reason}"}]}`;
    expect(parts(end('stop'), '[DONE]').at(-1)).toMatchObject({ type: 'error' });
    expect(parts(end('length'), '[DONE]').at(-1)).toMatchObject({ type: 'finish' });
    const usage = '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}';
    expect(parts(end('stop'), usage, '[DONE]').at(-1)).toMatchObject({ type: 'finish' });
  });

  test('ignores events after its end', () => {
    const finish = '{"id":"x","choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}';
    const late = '{"id":"x","choices":[{"delta":{"content":"late"},"finish_reason":null}]}';
    expect(parts(finish, '[DONE]', late)).toEqual(parts(finish, '[DONE]'));
  });

  test('with an event that is not a JSON object ends as malformed', () => {
    for (const event of ['{', '[]', 'null', '"x"', '<html>']) {
      expect(parts(event)).toMatchObject([{ type: 'error', code: 'provider_unavailable' }]);
    }
  });

  test('with a tool call without a name, or with too many calls, ends as malformed', () => {
    const call = (index: number, name: string): string =>
      JSON.stringify({
        choices: [{ delta: { tool_calls: [{ index, function: { name, arguments: '{}' } }] } }],
      });
    expect(parts(call(0, '')).at(-1)).toMatchObject({ type: 'error' });
    const calls = Array.from({ length: 257 }, (_, index) => call(index, 'f'));
    expect(parts(...calls).at(-1)).toMatchObject({ type: 'error' });
    const end = '{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}';
    expect(parts(...calls.slice(0, 256), end).at(-1)).toMatchObject({ type: 'finish' });
  });

  test('with calls without an id tells none: `uniqueCalls` mints them', () => {
    const calls = JSON.stringify({
      id: 'c9',
      choices: [
        {
          delta: { tool_calls: [{ function: { name: 'f' } }, { function: { name: 'g' } }] },
          finish_reason: 'stop',
        },
      ],
    });
    const ids = parts(calls, '[DONE]').flatMap((part) =>
      part.type === 'tool-call-start' ? [part.callId] : [],
    );
    expect(ids).toEqual(['', '']);
  });

  test('hostile shapes never throw', () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { maxLength: 6 }), fc.json(), (events, body) => {
        const read = parts(...events);
        expect(['finish', 'error']).toContain(read.at(-1)?.type);
        expect(['finish', 'error']).toContain(
          openAiChatTranslator.whole(JSON.parse(body)).at(-1)?.type,
        );
      }),
      { numRuns: 200 },
    );
  });
});
