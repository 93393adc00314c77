import { readFileSync } from 'node:fs';
import type { StreamPart } from '@sluice/inference';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergedParts } from '../testing/merged-parts.ts';
import { cutAt, readStream } from '../testing/read-stream.ts';
import { googleGeminiTranslator } from './google-gemini.ts';
import { geminiUsage } from './usage.ts';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url));
const streamed = (name: string): readonly StreamPart[] =>
  readStream(googleGeminiTranslator, [fixture(`${name}.sse`)]);

const usage = (inputTokens: number, outputTokens: number, more: object = {}) => ({
  inputTokens,
  cachedTokens: 0,
  outputTokens,
  reasoningTokens: 0,
  ...more,
});
const replay = { signature: 'CpsBAdHtim9', format: 'google-gemini-v1' };

const expected: Readonly<Record<string, readonly StreamPart[]>> = {
  text: [
    { type: 'response-start', upstreamId: 'rA1' },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'Grüße' },
    { type: 'text-delta', part: 0, delta: ' 👋\n' },
    { type: 'text-end', part: 0 },
    {
      type: 'finish',
      reason: 'stop',
      nativeReason: 'STOP',
      usage: usage(19, 6, { cachedTokens: 16 }),
    },
  ],
  'thoughts-and-calls': [
    { type: 'response-start', upstreamId: 'rB2' },
    { type: 'reasoning-start', part: 0 },
    { type: 'reasoning-summary-delta', part: 0, summary: 0, delta: 'Two ' },
    { type: 'reasoning-summary-delta', part: 0, summary: 0, delta: 'cities.' },
    { type: 'reasoning-end', part: 0, replay },
    { type: 'tool-call-start', part: 1, callId: '', name: 'get_weather' },
    { type: 'tool-call-delta', part: 1, delta: '{"city":"Paris"}' },
    { type: 'tool-call-end', part: 1 },
    { type: 'tool-call-start', part: 2, callId: '', name: 'get_weather' },
    { type: 'tool-call-delta', part: 2, delta: '{"city":"Rome"}' },
    { type: 'tool-call-end', part: 2 },
    {
      type: 'finish',
      reason: 'tool-calls',
      nativeReason: 'STOP',
      usage: usage(80, 46, { reasoningTokens: 12 }),
    },
  ],
  'cut-by-limit': [
    { type: 'response-start', upstreamId: 'rC3' },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'The answ' },
    { type: 'finish', reason: 'length', nativeReason: 'MAX_TOKENS', usage: usage(5, 8) },
  ],
  picture: [
    { type: 'response-start', upstreamId: 'rD4' },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'Here.' },
    { type: 'text-end', part: 0 },
    { type: 'image', part: 1, base64: 'aGk=', mediaType: 'image/png' },
    {
      type: 'finish',
      reason: 'stop',
      nativeReason: 'STOP',
      usage: usage(9, 1_300, { imageOutputTokens: 1_290 }),
    },
  ],
  blocked: [
    { type: 'response-start', upstreamId: 'rE5' },
    {
      type: 'finish',
      reason: 'content-filter',
      nativeReason: 'PROHIBITED_CONTENT',
      usage: usage(7, 0),
    },
  ],
  'error-after-text': [
    { type: 'response-start', upstreamId: 'rF6' },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'Half a sen' },
    {
      type: 'error',
      code: 'unavailable',
      message: 'Service temporarily unavailable',
      providerCode: 'UNAVAILABLE',
      usage: usage(4, 3),
    },
  ],
};
const names = Object.keys(expected);

describe('a generateContent stream', () => {
  test.each(names)('%s gives the expected parts', (name) => {
    expect(streamed(name)).toEqual(expected[name]);
  });

  test.each(names)('%s gives the same parts however its bytes are cut', (name) => {
    const bytes = fixture(`${name}.sse`);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (places) => {
        expect(readStream(googleGeminiTranslator, cutAt(bytes, places))).toEqual(expected[name]);
      }),
      { numRuns: 50 },
    );
  });

  test.each(names.filter((name) => name !== 'error-after-text'))(
    '%s gives the same parts as a whole body',
    (name) => {
      const body: unknown = JSON.parse(fixture(`${name}.json`).toString());
      const summaries = (list: readonly StreamPart[]) =>
        list.map((part) =>
          part.type === 'reasoning-summary-delta' ? { ...part, summary: 0 } : part,
        );
      expect(summaries(mergedParts(googleGeminiTranslator.whole(body)))).toEqual(
        summaries(mergedParts(streamed(name))),
      );
    },
  );

  test('gives the signature of a picture in the thought before it', () => {
    const picture = (signature: string) => ({
      inlineData: { mimeType: 'image/png', data: 'aGk=' },
      thoughtSignature: signature,
    });
    const parts = [{ text: 'Two.', thoughtSignature: 'T' }, picture('A'), picture('B')];
    const said = googleGeminiTranslator.whole({ candidates: [{ content: { parts } }] });
    const format = 'google-gemini-v1';
    expect(said.slice(1, 11)).toEqual([
      { type: 'text-start', part: 0 },
      { type: 'text-delta', part: 0, delta: 'Two.' },
      { type: 'text-end', part: 0 },
      { type: 'reasoning-start', part: 1 },
      { type: 'reasoning-end', part: 1, replay: { signature: 'A', format } },
      { type: 'image', part: 2, base64: 'aGk=', mediaType: 'image/png' },
      { type: 'reasoning-start', part: 3 },
      { type: 'reasoning-end', part: 3, replay: { signature: 'B', format } },
      { type: 'image', part: 4, base64: 'aGk=', mediaType: 'image/png' },
      expect.objectContaining({ type: 'error' }),
    ]);
  });

  test('that ends without a finish reason gives an error with the usage so far', () => {
    const bytes = fixture('text.sse');
    const last = bytes.lastIndexOf('data: ');
    for (let length = 0; length <= last; length += 5) {
      const read = readStream(googleGeminiTranslator, [bytes.subarray(0, length)]);
      expect(read.at(-1)).toMatchObject({ type: 'error', code: 'provider_unavailable' });
    }
    const cut = readStream(googleGeminiTranslator, [bytes.subarray(0, last)]);
    expect(cut.at(-1)).toMatchObject({ usage: { inputTokens: 19, outputTokens: 1 } });
  });

  test('with a malformed body gives an error', () => {
    expect(googleGeminiTranslator.whole('<html>').at(-1)).toMatchObject({ type: 'error' });
    expect(googleGeminiTranslator.whole({}).at(-1)).toMatchObject({ type: 'error' });
  });
});

describe('usage of generateContent', () => {
  test('adds thoughts to the output and tool input to the input', () => {
    const counts = {
      promptTokenCount: 100,
      toolUsePromptTokenCount: 20,
      cachedContentTokenCount: 50,
      cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 10 }],
      promptTokensDetails: [
        { modality: 'AUDIO', tokenCount: 30 },
        { modality: 'TEXT', tokenCount: 70 },
      ],
      candidatesTokenCount: 5,
      thoughtsTokenCount: 7,
    };
    expect(geminiUsage(counts)).toEqual({
      inputTokens: 120,
      cachedTokens: 40,
      audioInputTokens: 20,
      cachedAudioTokens: 10,
      outputTokens: 12,
      reasoningTokens: 7,
    });
  });

  test.each([
    {},
    { promptTokenCount: -1 },
    { promptTokenCount: 1, cachedContentTokenCount: 2 },
    { promptTokenCount: 1, candidatesTokenCount: '3' },
    { promptTokenCount: 1, thoughtsTokenCount: 0.5 },
  ])('is discarded if it is implausible: %o', (counts) => {
    expect(geminiUsage(counts)).toBeUndefined();
  });
});

describe('the finish reason', () => {
  const ended = (body: object) => googleGeminiTranslator.whole(body).at(-1);
  const said = (finishReason: string) => ({
    candidates: [{ content: { role: 'model', parts: [{ text: 'a' }] }, finishReason }],
  });

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['LANGUAGE', 'content-filter'],
    ['OTHER', 'stop'],
  ])('%s maps to %s', (word, reason) => {
    expect(ended(said(word))).toMatchObject({ type: 'finish', reason, nativeReason: word });
  });

  test.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'MALFORMED_RESPONSE'])(
    '%s is a failure that the provider declares',
    (word) => {
      expect(ended(said(word))).toMatchObject({ type: 'error', providerCode: word });
    },
  );

  test.each(['SAFETY', 'OTHER', 'JAILBREAK'])(
    '%s maps to content-filter if the prompt is blocked',
    (word) => {
      expect(ended({ promptFeedback: { blockReason: word } })).toMatchObject({
        type: 'finish',
        reason: 'content-filter',
      });
    },
  );
});

describe('a failed call', () => {
  const error = (code: number, status: string, message: string) =>
    googleGeminiTranslator.error(code, { error: { code, message, status } });

  test.each([
    [400, 'INVALID_ARGUMENT', 'bad', 'invalid_request'],
    [
      400,
      'INVALID_ARGUMENT',
      'The input token count (9) exceeds the maximum number of tokens',
      'context_length_exceeded',
    ],
    [403, 'PERMISSION_DENIED', 'no', 'provider_rejected'],
    [429, 'RESOURCE_EXHAUSTED', 'slow', 'provider_rate_limited'],
    [503, 'UNAVAILABLE', 'overloaded', 'unavailable'],
  ])('with status %s, %s, %s has the code %s', (code, status, message, meant) => {
    expect(error(code, status, message)).toMatchObject({ code: meant, providerCode: status });
    const streamedError = googleGeminiTranslator.error(code, [
      { error: { code, message, status } },
    ]);
    expect(streamedError.code).toBe(meant);
  });
});
