import { readFileSync } from 'node:fs';
import type { StreamPart } from '@sluice/inference';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergedParts } from '../testing/merged-parts.ts';
import { cutAt, readStream } from '../testing/read-stream.ts';
import { anthropicMessagesTranslator } from './anthropic-messages.ts';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url));
const streamed = (name: string): readonly StreamPart[] =>
  readStream(anthropicMessagesTranslator, [fixture(`${name}.sse`)]);
const parts = (...events: readonly object[]): readonly StreamPart[] =>
  readStream(anthropicMessagesTranslator, [
    Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
  ]);

const signature = 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk=';
const redacted = 'EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIw';
const format = 'anthropic-claude-v1';
const usage = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  cachedTokens: 0,
  outputTokens,
  reasoningTokens: 0,
});

const expected: Readonly<Record<string, readonly StreamPart[]>> = {
  text: [
    {
      type: 'response-start',
      upstreamId: 'msg_01A',
      inputUsage: {
        ...usage(1_112, 0),
        cachedTokens: 1_000,
        cacheWriteTokens: 60,
        cacheWriteHourTokens: 40,
      },
    },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'Grüße' },
    { type: 'text-delta', part: 0, delta: ' 👋\n' },
    { type: 'text-end', part: 0 },
    {
      type: 'finish',
      reason: 'stop',
      nativeReason: 'end_turn',
      usage: {
        ...usage(1_112, 9),
        cachedTokens: 1_000,
        cacheWriteTokens: 60,
        cacheWriteHourTokens: 40,
      },
      serviceTier: 'default',
    },
  ],
  'thinking-and-tool-calls': [
    { type: 'response-start', upstreamId: 'msg_01B', inputUsage: usage(80, 0) },
    { type: 'reasoning-start', part: 0 },
    { type: 'reasoning-delta', part: 0, delta: 'Two ' },
    { type: 'reasoning-delta', part: 0, delta: 'cities.' },
    { type: 'reasoning-end', part: 0, replay: { signature, format } },
    { type: 'reasoning-start', part: 1 },
    { type: 'reasoning-end', part: 1, replay: { encrypted: redacted, format } },
    { type: 'text-start', part: 2 },
    { type: 'text-delta', part: 2, delta: 'I look.' },
    { type: 'text-end', part: 2 },
    { type: 'tool-call-start', part: 3, callId: 'toolu_01Paris', name: 'get_weather' },
    { type: 'tool-call-delta', part: 3, delta: '{"city": "Pa' },
    { type: 'tool-call-delta', part: 3, delta: 'ris"}' },
    { type: 'tool-call-end', part: 3 },
    { type: 'tool-call-start', part: 4, callId: 'toolu_01Now', name: 'now' },
    { type: 'tool-call-delta', part: 4, delta: '{}' },
    { type: 'tool-call-end', part: 4 },
    { type: 'finish', reason: 'tool-calls', nativeReason: 'tool_use', usage: usage(80, 46) },
  ],
  'cut-by-limit': [
    { type: 'response-start', upstreamId: 'msg_01C', inputUsage: usage(5, 0) },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'The answ' },
    { type: 'finish', reason: 'length', nativeReason: 'max_tokens', usage: usage(5, 8) },
  ],
  citations: [
    { type: 'response-start', upstreamId: 'msg_01D', inputUsage: usage(5, 0) },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'B is.' },
    {
      type: 'text-annotation',
      part: 0,
      annotation: {
        type: 'url_citation',
        url: 'https://a.example/b',
        title: 'B',
        start_index: 0,
        end_index: 5,
        content: 'b is',
      },
      citation: {
        type: 'web_search_result_location',
        cited_text: 'b is',
        url: 'https://a.example/b',
        title: 'B',
        encrypted_index: 'x',
      },
    },
    { type: 'text-end', part: 0 },
    { type: 'finish', reason: 'stop', nativeReason: 'end_turn', usage: usage(5, 4) },
  ],
  'overloaded-after-text': [
    { type: 'response-start', upstreamId: 'msg_01E', inputUsage: usage(5, 0) },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'Half a sen' },
    {
      type: 'error',
      code: 'provider_overloaded',
      message: 'The provider is temporarily overloaded',
      providerCode: 'overloaded_error',
      usage: usage(5, 1),
    },
  ],
};
const names = Object.keys(expected);

describe('a messages stream', () => {
  test.each(names)('%s gives the expected parts', (name) => {
    expect(streamed(name)).toEqual(expected[name]);
  });

  test.each(names)('%s gives the same parts however its bytes are cut', (name) => {
    const bytes = fixture(`${name}.sse`);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (places) => {
        expect(readStream(anthropicMessagesTranslator, cutAt(bytes, places))).toEqual(
          expected[name],
        );
      }),
      { numRuns: 50 },
    );
  });

  test.each(names.filter((name) => name !== 'overloaded-after-text'))(
    '%s gives the same parts as a whole body',
    (name) => {
      const body: unknown = JSON.parse(fixture(`${name}.json`).toString());
      const whole = mergedParts(anthropicMessagesTranslator.whole(body));
      // The arguments in a whole body have different white space.
      const compact = (list: readonly StreamPart[]) =>
        list.map((part) =>
          part.type === 'tool-call-delta'
            ? { ...part, delta: part.delta.replaceAll(' ', '') }
            : part,
        );
      expect(compact(whole)).toEqual(compact(mergedParts(streamed(name))));
    },
  );

  test('that is cut at any byte ends in an error, never in a finish', () => {
    const bytes = fixture('text.sse');
    const terminal = bytes.indexOf('event: message_delta');
    for (let length = 0; length < terminal; length += 7) {
      const read = readStream(anthropicMessagesTranslator, [bytes.subarray(0, length)]);
      expect(read.at(-1)).toMatchObject({ type: 'error', code: 'provider_unavailable' });
      expect(read.filter(({ type }) => type === 'finish')).toEqual([]);
    }
  });

  test('that is cut after some output reports the usage so far for billing', () => {
    const bytes = fixture('text.sse');
    const cut = readStream(anthropicMessagesTranslator, [
      bytes.subarray(0, bytes.indexOf('event: content_block_stop')),
    ]);
    expect(cut.at(-1)).toMatchObject({ type: 'error', usage: { inputTokens: 1_112 } });
  });

  test('with implausible usage passes it on unread, and does not count it', () => {
    const start = { type: 'message_start', message: { id: 'm', usage: { input_tokens: -5 } } };
    const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} };
    const text = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: 'a' },
    };
    const read = parts(start, text, end, { type: 'message_stop' });
    expect(read.at(-2)).toEqual({ type: 'unread-usage', raw: '{"input_tokens":-5}' });
    expect(read.at(-1)).toMatchObject({ type: 'finish', usage: undefined });
  });

  test('with unknown blocks and events skips them', () => {
    const read = parts(
      { type: 'message_start', message: { id: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'dream' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } },
      { type: 'something_new' },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    );
    expect(read.map(({ type }) => type)).toEqual(['response-start', 'finish']);
  });

  test('a body that is not a message is malformed', () => {
    expect(anthropicMessagesTranslator.whole('<html>').at(-1)).toMatchObject({ type: 'error' });
    expect(anthropicMessagesTranslator.whole({ id: 'x' }).at(-1)).toMatchObject({ type: 'error' });
    expect(parts({}).at(-1)).toMatchObject({ type: 'error', code: 'provider_unavailable' });
  });
});

describe('a failed call', () => {
  const error = (status: number, type: string, message: string) =>
    anthropicMessagesTranslator.error(status, { type: 'error', error: { type, message } });

  test.each([
    [400, 'invalid_request_error', 'messages: too few', 'invalid_request'],
    [
      400,
      'invalid_request_error',
      'prompt is too long: 250000 tokens > 200000',
      'context_length_exceeded',
    ],
    [401, 'authentication_error', 'invalid x-api-key', 'provider_rejected'],
    [429, 'rate_limit_error', 'slow down', 'provider_rate_limited'],
    [500, 'api_error', 'Internal', 'provider_unavailable'],
    [529, 'overloaded_error', 'Overloaded', 'provider_overloaded'],
  ])('%s %s is %s', (status, type, message, code) => {
    expect(error(status, type, message).code).toBe(code);
  });

  test('never shows its message about the credential', () => {
    expect(error(401, 'authentication_error', 'invalid x-api-key').message).not.toContain('x-api');
  });
});
