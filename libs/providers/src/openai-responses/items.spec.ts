import type { StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { readStream } from '../testing/read-stream.ts';
import { openAiResponsesTranslator } from './openai-responses.ts';

const parts = (...events: readonly object[]): readonly StreamPart[] =>
  readStream(openAiResponsesTranslator, [
    Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
  ]);
const whole = (...output: readonly object[]): readonly StreamPart[] =>
  openAiResponsesTranslator.whole({ id: 'r', status: 'completed', output });
const added = (item: object, index = 0): object => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
});
const done = (item: object, index = 0): object => ({
  type: 'response.output_item.done',
  output_index: index,
  item,
});
const completed = { type: 'response.completed', response: { id: 'r', status: 'completed' } };
const between = (read: readonly StreamPart[]): readonly StreamPart[] => read.slice(1, -1);

describe('thoughts', () => {
  const item = {
    type: 'reasoning',
    summary: [{ text: 'one' }, { text: 'two' }],
    content: [{ text: 'raw' }],
    encrypted_content: 'x',
  };
  const end = {
    type: 'reasoning-end',
    part: 0,
    replay: { encrypted: 'x', format: 'openai-responses-v1' },
  };

  test('are emitted with their summaries, and end with the encrypted content', () => {
    expect(between(whole(item))).toEqual([
      { type: 'reasoning-start', part: 0 },
      { type: 'reasoning-summary-delta', part: 0, summary: 0, delta: 'one' },
      { type: 'reasoning-summary-delta', part: 0, summary: 1, delta: 'two' },
      { type: 'reasoning-delta', part: 0, delta: 'raw' },
      end,
    ]);
  });

  test('that arrive in deltas are emitted once', () => {
    const summary = { type: 'response.reasoning_summary_text.delta', output_index: 0 };
    const read = parts(
      added({ type: 'reasoning' }),
      { ...summary, summary_index: 0, delta: 'on' },
      { ...summary, summary_index: 0, delta: 'e' },
      { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'raw' },
      done(item),
      completed,
    );
    expect(between(read)).toEqual([
      { type: 'reasoning-start', part: 0 },
      { type: 'reasoning-summary-delta', part: 0, summary: 0, delta: 'on' },
      { type: 'reasoning-summary-delta', part: 0, summary: 0, delta: 'e' },
      { type: 'reasoning-delta', part: 0, delta: 'raw' },
      { type: 'reasoning-summary-delta', part: 0, summary: 1, delta: 'two' },
      end,
    ]);
  });

  test('that are empty are omitted, unless they have encrypted content', () => {
    expect(between(whole({ type: 'reasoning', summary: [] }))).toEqual([]);
    expect(between(whole({ type: 'reasoning', summary: [], encrypted_content: 'x' }))).toEqual([
      { type: 'reasoning-start', part: 0 },
      end,
    ]);
  });
});

describe('the phase of a message', () => {
  const message = (phase: unknown) => ({
    type: 'message',
    phase,
    content: [{ type: 'output_text', text: 'ab' }],
  });
  const delta = { type: 'response.output_text.delta', output_index: 0, content_index: 0 };

  test.each(['commentary', 'final_answer'])('%s is told, whole and streamed', (phase) => {
    const start = { type: 'text-start', part: 0, phase };
    expect(whole(message(phase))[1]).toEqual(start);
    const begun = added({ type: 'message', phase, content: [] });
    expect(parts(begun, { ...delta, delta: 'a' }, completed)[1]).toEqual(start);
  });

  test('that is unknown is left out', () => {
    expect(whole(message('x'))[1]).toEqual({ type: 'text-start', part: 0 });
  });
});

describe('a text', () => {
  const logprob = { token: 'a', logprob: -0.1, bytes: [97], top_logprobs: [] };
  const citation = { type: 'url_citation', url: 'https://a', title: 't' };

  test('is emitted with its log probabilities and annotations, each once', () => {
    const at = { output_index: 0, content_index: 0 };
    const text = { type: 'output_text', text: 'ab', annotations: [citation], logprobs: [logprob] };
    const read = parts(
      { type: 'response.output_text.delta', ...at, delta: 'a', logprobs: [logprob, { token: 1 }] },
      { type: 'response.output_text.annotation.added', ...at, annotation: citation },
      { type: 'response.output_text.delta', ...at, delta: 'b' },
      done({ type: 'message', content: [text] }),
      completed,
    );
    expect(between(read)).toEqual([
      { type: 'text-start', part: 0 },
      { type: 'text-delta', part: 0, delta: 'a', logprobs: [logprob] },
      { type: 'text-annotation', part: 0, annotation: citation },
      { type: 'text-delta', part: 0, delta: 'b' },
      { type: 'text-end', part: 0 },
    ]);
    expect(between(whole({ type: 'message', content: [text] }))).toEqual([
      { type: 'text-start', part: 0 },
      { type: 'text-delta', part: 0, delta: 'ab', logprobs: [logprob] },
      { type: 'text-annotation', part: 0, annotation: citation },
      { type: 'text-end', part: 0 },
    ]);
  });
});

describe('a tool item', () => {
  test('can be a custom call with text that is not JSON', () => {
    const item = { type: 'custom_tool_call', call_id: 'c', name: 'sql', input: 'SELECT 1' };
    const expected = [
      { type: 'tool-call-start', part: 0, callId: 'c', name: 'sql', isCustom: true },
      { type: 'tool-call-delta', part: 0, delta: 'SELECT 1' },
      { type: 'tool-call-end', part: 0 },
    ];
    expect(between(whole(item))).toEqual(expected);
    const delta = { type: 'response.custom_tool_call_input.delta', output_index: 0 };
    const read = parts(added({ ...item, input: '' }), { ...delta, delta: 'SELECT 1' }, done(item));
    expect(read.slice(1, -1)).toEqual(expected);
  });

  test('can be a whole image', () => {
    const item = { type: 'image_generation_call', status: 'completed', result: 'aGk=' };
    const expected = [{ type: 'image', part: 0, base64: 'aGk=' }];
    expect(between(whole(item))).toEqual(expected);
    expect(between(parts(added({ ...item, result: null }), done(item), completed))).toEqual(
      expected,
    );
  });

  test('passes unchanged if the upstream ran the tool', () => {
    const item = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
    const begun = { ...item, status: 'in_progress' };
    expect(between(parts(added(begun), done(item), completed))).toEqual([
      { type: 'native-start', part: 0, item: begun },
      { type: 'native-end', part: 0, item },
    ]);
    expect(between(whole(item))).toEqual([
      { type: 'native-start', part: 0, item },
      { type: 'native-end', part: 0, item },
    ]);
  });

  test('the finish part has the tier that served the response', () => {
    const body = { id: 'r', status: 'completed', service_tier: 'flex', output: [] };
    const usage = { input_tokens: 1, output_tokens: 1 };
    expect(openAiResponsesTranslator.whole({ ...body, usage }).at(-1)).toMatchObject({
      serviceTier: 'flex',
    });
  });
});
