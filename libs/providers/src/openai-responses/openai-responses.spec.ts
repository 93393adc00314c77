import { readFileSync } from 'node:fs';
import type { StreamPart } from '@sluice/inference';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergedParts } from '../testing/merged-parts.ts';
import { cutAt, readStream } from '../testing/read-stream.ts';
import { openAiResponsesTranslator } from './openai-responses.ts';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url));

const streamed = (name: string): readonly StreamPart[] =>
  readStream(openAiResponsesTranslator, [fixture(`${name}.sse`)]);

const parts = (...events: readonly unknown[]): readonly StreamPart[] =>
  readStream(openAiResponsesTranslator, [
    Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
  ]);

const expected: Readonly<Record<string, readonly StreamPart[]>> = {
  text: [
    { type: 'response-start', upstreamId: 'resp_A1' },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'Grüße' },
    { type: 'text-delta', part: 0, delta: ' 👋\n' },
    { type: 'text-end', part: 0 },
    {
      type: 'finish',
      reason: 'stop',
      nativeReason: 'completed',
      usage: { inputTokens: 19, cachedTokens: 16, outputTokens: 6, reasoningTokens: 0 },
    },
  ],
  'reasoning-and-tool-calls': [
    { type: 'response-start', upstreamId: 'resp_B2' },
    { type: 'reasoning-start', part: 0 },
    { type: 'reasoning-summary-delta', part: 0, summary: 0, delta: 'Two cities.' },
    { type: 'reasoning-end', part: 0 },
    { type: 'tool-call-start', part: 1, callId: 'call_paris', name: 'get_weather' },
    { type: 'tool-call-start', part: 2, callId: 'call_rome', name: 'get_weather' },
    { type: 'tool-call-delta', part: 1, delta: '{"city":' },
    { type: 'tool-call-delta', part: 2, delta: '{"city":"Rome"}' },
    { type: 'tool-call-delta', part: 1, delta: '"Paris"}' },
    { type: 'tool-call-end', part: 1 },
    { type: 'tool-call-end', part: 2 },
    {
      type: 'finish',
      reason: 'tool-calls',
      nativeReason: 'completed',
      usage: { inputTokens: 80, cachedTokens: 0, outputTokens: 46, reasoningTokens: 12 },
    },
  ],
  'cut-by-limit': [
    { type: 'response-start', upstreamId: 'resp_C3' },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'The answ' },
    {
      type: 'finish',
      reason: 'length',
      nativeReason: 'max_output_tokens',
      usage: { inputTokens: 5, cachedTokens: 0, outputTokens: 8, reasoningTokens: 0 },
    },
  ],
  refusal: [
    { type: 'response-start', upstreamId: 'resp_D4' },
    { type: 'refusal-start', part: 0 },
    { type: 'refusal-delta', part: 0, delta: 'I cannot' },
    { type: 'refusal-delta', part: 0, delta: ' help.' },
    { type: 'refusal-end', part: 0 },
    { type: 'finish', reason: 'stop', nativeReason: 'completed', usage: undefined },
  ],
  'failed-after-text': [
    { type: 'response-start', upstreamId: 'resp_E5' },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: 'Half a sen' },
    {
      type: 'error',
      code: 'provider_unavailable',
      message: 'Provider returned error',
      providerCode: 'server_error',
      usage: { inputTokens: 4, cachedTokens: 0, outputTokens: 3, reasoningTokens: 0 },
    },
  ],
};

const names = Object.keys(expected);

/** Orders interleaved parts one after the other, as in a whole body. */
const byPart = (list: readonly StreamPart[]): readonly StreamPart[] =>
  mergedParts(list).toSorted((a, b) => placeOf(a) - placeOf(b));

const placeOf = (part: StreamPart): number => {
  if ('part' in part) return part.part;
  return part.type === 'response-start' ? -1 : Infinity;
};

const completed = (usage: unknown): unknown => ({
  type: 'response.completed',
  response: { id: 'r', status: 'completed', output: [], usage },
});

describe('a response stream', () => {
  test.each(names)('%s gives the expected parts', (name) => {
    expect(streamed(name)).toEqual(expected[name]);
  });

  test.each(names)('%s gives the same parts however its bytes are cut', (name) => {
    const bytes = fixture(`${name}.sse`);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (places) => {
        expect(readStream(openAiResponsesTranslator, cutAt(bytes, places))).toEqual(expected[name]);
      }),
      { numRuns: 50 },
    );
  });

  test.each(names.filter((name) => name !== 'failed-after-text'))(
    '%s gives the same parts as a whole body',
    (name) => {
      const body: unknown = JSON.parse(fixture(`${name}.json`).toString());
      expect(byPart(openAiResponsesTranslator.whole(body))).toEqual(byPart(streamed(name)));
    },
  );

  test('that is cut at any byte ends in an error, never in a finish', () => {
    const bytes = fixture('text.sse');
    const terminal = bytes.indexOf('event: response.completed');
    for (let length = 0; length < terminal; length += 7) {
      const read = readStream(openAiResponsesTranslator, [bytes.subarray(0, length)]);
      expect(read.at(-1)).toMatchObject({ type: 'error', code: 'provider_unavailable' });
      expect(read.filter(({ type }) => type === 'finish')).toEqual([]);
    }
  });

  test('with all content in its last event is read in full', () => {
    const response: unknown = JSON.parse(fixture('text.json').toString());
    const only = parts({ type: 'response.completed', response });
    expect(mergedParts(only)).toEqual(mergedParts(streamed('text')));
  });

  test('that repeats an item emits it once', () => {
    const item = {
      type: 'message',
      status: 'completed',
      content: [{ type: 'output_text', text: 'once' }],
    };
    const done = { type: 'response.output_item.done', output_index: 0, item };
    const read = parts(done, done, {
      type: 'response.completed',
      response: { status: 'completed', output: [item] },
    });
    expect(read.filter(({ type }) => type === 'text-delta')).toEqual([
      { type: 'text-delta', part: 0, delta: 'once' },
    ]);
  });

  test('that completes closes all open items', () => {
    const delta = {
      type: 'response.output_text.delta',
      output_index: 0,
      content_index: 0,
      delta: 'a',
    };
    const read = parts(delta, { type: 'response.completed', response: { status: 'completed' } });
    expect(read.map(({ type }) => type)).toEqual([
      'response-start',
      'text-start',
      'text-delta',
      'text-end',
      'finish',
    ]);
  });

  test('with unknown events and items skips them', () => {
    const read = parts(
      { type: 'response.web_search_call.searching', output_index: 0 },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'dream_call' } },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'dream_call' } },
      completed({ input_tokens: 1, output_tokens: 3 }),
    );
    expect(read.map(({ type }) => type)).toEqual(['response-start', 'finish']);
  });

  test('without content and counted output is an error, unless it was cut', () => {
    expect(parts(completed(null)).at(-1)).toMatchObject({ code: 'provider_unavailable' });
    const counted = parts(completed({ input_tokens: 1, output_tokens: 0 })).at(-1);
    expect(counted).toMatchObject({ type: 'error', usage: { inputTokens: 1 } });
    const response = { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    expect(parts({ type: 'response.incomplete', response }).at(-1)).toMatchObject({
      type: 'finish',
      reason: 'content-filter',
    });
  });

  test.each([
    [{ type: 'error', code: 'rate_limit_exceeded', message: 'slow' }, 'provider_rate_limited'],
    [{ type: 'error', error: { code: 'invalid_prompt', message: 'bad' } }, 'invalid_request'],
    [{ type: 'error', code: 'context_length_exceeded' }, 'context_length_exceeded'],
    [{ type: 'error', code: 'anything else' }, 'provider_unavailable'],
    [{ type: 'response.failed', response: { status: 'failed' } }, 'provider_unavailable'],
    [{ type: 'response.completed', response: { status: 'queued' } }, 'provider_unavailable'],
    [{ type: 'response.output_text.delta', delta: 'no place' }, 'provider_unavailable'],
    [{ type: 'response.output_item.added', output_index: -1, item: {} }, 'provider_unavailable'],
  ])('%o is an error', (event, code) => {
    expect(parts(event).at(-1)).toMatchObject({ type: 'error', code });
  });

  test('with too many items ends as malformed', () => {
    const deltas = Array.from({ length: 1_100 }, (_, index) => ({
      type: 'response.output_text.delta',
      output_index: index,
      content_index: 0,
      delta: 'a',
    }));
    expect(parts(...deltas).at(-1)).toMatchObject({ type: 'error' });
  });

  test('a whole body without a known status is malformed', () => {
    for (const body of [undefined, null, [], 'text', {}, { status: 'in_progress' }]) {
      expect(openAiResponsesTranslator.whole(body).at(-1)).toMatchObject({ type: 'error' });
    }
  });

  test('hostile shapes never throw', () => {
    const types = fc.constantFrom(
      'response.created',
      'response.output_item.added',
      'response.output_item.done',
      'response.output_text.delta',
      'response.function_call_arguments.delta',
      'response.completed',
      'error',
    );
    const event = fc
      .tuple(
        types,
        fc.dictionary(
          fc.constantFrom('item', 'output_index', 'delta', 'response', 'error'),
          fc.jsonValue(),
        ),
      )
      .map(([type, fields]) => ({ ...fields, type }));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), fc.jsonValue(), (events, body) => {
        expect(['finish', 'error']).toContain(parts(...events).at(-1)?.type);
        expect(['finish', 'error']).toContain(openAiResponsesTranslator.whole(body).at(-1)?.type);
      }),
      { numRuns: 200 },
    );
  });
});
