import type { StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { finalResponse } from './events.ts';
import { eventsOf, stateAfter, terminalOf } from '../testing/generation.ts';
import { settlement } from '../../testing/write-answer.ts';

const text = (part: number, ...deltas: readonly string[]): readonly StreamPart[] => [
  { type: 'text-start', part },
  ...deltas.map((delta): StreamPart => ({ type: 'text-delta', part, delta })),
  { type: 'text-end', part },
];

const finish = (reason: 'stop' | 'length' | 'content-filter' | 'tool-calls'): StreamPart => ({
  type: 'finish',
  reason,
  nativeReason: undefined,
  usage: undefined,
});

const error = (
  code: 'provider_unavailable' | 'internal' | 'context_length_exceeded',
): StreamPart => ({
  type: 'error',
  code,
  message: 'what happened',
  providerCode: undefined,
  usage: undefined,
});

const types = (parts: readonly StreamPart[]): readonly string[] =>
  eventsOf(parts).map(({ type }) => type.replace('response.', ''));

test('a message keeps its phase in every event and in the whole response', () => {
  const start: StreamPart = { type: 'text-start', part: 0, phase: 'commentary' };
  const parts = [start, ...text(0, 'a').slice(1), finish('stop')];
  const message = { type: 'message', phase: 'commentary' };
  const items = eventsOf(parts).flatMap((event) => ('item' in event ? [event.item] : []));
  expect(items).toEqual([expect.objectContaining(message), expect.objectContaining(message)]);
  expect(finalResponse(stateAfter(parts), settlement).output).toMatchObject([message]);
});

describe('a correction', () => {
  const correction = (part: number, text: string, more: object = {}): StreamPart => ({
    type: 'correction',
    part,
    difference: 'contrary',
    text,
    ...more,
  });
  const parts: readonly StreamPart[] = [
    { type: 'reasoning-start', part: 0 },
    { type: 'reasoning-summary-delta', part: 0, summary: 0, delta: 'wrong' },
    correction(0, 'right', { summary: 0 }),
    { type: 'reasoning-end', part: 0 },
    ...text(1, 'wrong').slice(0, -1),
    correction(1, 'right'),
    { type: 'text-end', part: 1 },
    { type: 'tool-call-start', part: 2, callId: 'c', name: 'f' },
    { type: 'tool-call-delta', part: 2, delta: '{"wrong":1}' },
    correction(2, '{"right":1}'),
    { type: 'tool-call-end', part: 2 },
    { type: 'correction', part: 2, difference: 'late' },
    finish('tool-calls'),
  ];

  test('replaces the text in the final items', () => {
    const done = eventsOf(parts).filter(({ type }) => type.endsWith('.done'));
    expect(JSON.stringify(done)).not.toContain('wrong');
    const { output } = finalResponse(stateAfter(parts), settlement);
    expect(JSON.stringify(output)).not.toContain('wrong');
    expect(output).toMatchObject([
      { summary: [{ text: 'right' }] },
      { content: [{ text: 'right' }] },
      { arguments: '{"right":1}' },
    ]);
  });
});

describe('the order of events', () => {
  test('of a text', () => {
    expect(types([...text(0, 'a', 'b'), finish('stop')])).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
  });

  test('of thoughts, then a refusal', () => {
    const parts: readonly StreamPart[] = [
      { type: 'response-start', upstreamId: 'x' },
      { type: 'reasoning-start', part: 0 },
      { type: 'reasoning-delta', part: 0, delta: 'hm' },
      { type: 'reasoning-end', part: 0 },
      { type: 'refusal-start', part: 1 },
      { type: 'refusal-delta', part: 1, delta: 'no' },
      { type: 'refusal-end', part: 1 },
      finish('stop'),
    ];
    expect(types(parts).slice(2, -1)).toEqual([
      'output_item.added',
      'content_part.added',
      'reasoning_text.delta',
      'reasoning_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'refusal.delta',
      'refusal.done',
      'content_part.done',
      'output_item.done',
    ]);
    expect(terminalOf(parts).output).toEqual([
      {
        id: 'rs_0',
        type: 'reasoning',
        status: 'completed',
        summary: [],
        content: [{ type: 'reasoning_text', text: 'hm' }],
      },
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'refusal', refusal: 'no' }],
      },
    ]);
  });

  test('of two calls at once', () => {
    const parts: readonly StreamPart[] = [
      { type: 'tool-call-start', part: 0, callId: 'a', name: 'f' },
      { type: 'tool-call-start', part: 1, callId: 'b', name: 'g' },
      { type: 'tool-call-delta', part: 1, delta: '{}' },
      { type: 'tool-call-delta', part: 0, delta: '[]' },
      { type: 'tool-call-end', part: 0 },
      { type: 'tool-call-end', part: 1 },
      finish('tool-calls'),
    ];
    const events = eventsOf(parts);
    expect(types(parts).slice(2)).toEqual([
      'output_item.added',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
    expect(events[2]).toMatchObject({ item: { id: 'fc_0', arguments: '', status: 'in_progress' } });
    expect(events[4]).toMatchObject({ item_id: 'fc_1', output_index: 1, delta: '{}' });
    expect(events[6]).toMatchObject({ arguments: '[]', name: 'f' });
    expect(events[7]).toMatchObject({
      item: {
        type: 'function_call',
        call_id: 'a',
        name: 'f',
        arguments: '[]',
        status: 'completed',
      },
    });
  });

  test('of an answer that says nothing', () => {
    expect(types([finish('stop')])).toEqual(['created', 'in_progress', 'completed']);
  });
});

describe('the end of a response', () => {
  test('is completed, with usage, cost and all texts', () => {
    const response = terminalOf([...text(0, 'a'), ...text(1, 'b'), finish('stop')]);
    expect(response).toMatchObject({
      status: 'completed',
      created_at: 1_760_000_000,
      completed_at: 1_760_000_009,
      output_text: 'ab',
      error: null,
      incomplete_details: null,
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 15,
        cost: 0.000_017_4,
        cost_details: {
          upstream_inference_input_cost: 0.000_006_4,
          upstream_inference_output_cost: 0.000_01,
        },
        is_byok: false,
      },
    });
    expect(JSON.parse(JSON.stringify(response))).not.toHaveProperty('error_type');
  });

  test.each([
    ['length', 'max_output_tokens'],
    ['content-filter', 'content_filter'],
  ] as const)('is incomplete after %s, and closes what was cut as incomplete', (reason, why) => {
    const parts = [...text(0, 'a').slice(0, -1), finish(reason)];
    expect(types(parts).slice(-4)).toEqual([
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'incomplete',
    ]);
    expect(terminalOf(parts)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: why },
      completed_at: null,
      output: [{ status: 'incomplete' }],
    });
  });

  test('is failed after an error, with what was said, and closes nothing', () => {
    const parts: readonly StreamPart[] = [
      ...text(0, 'whole'),
      { type: 'tool-call-start', part: 1, callId: 'a', name: 'f' },
      { type: 'tool-call-delta', part: 1, delta: '{"amount":1' },
      error('provider_unavailable'),
    ];
    expect(types(parts).slice(-2)).toEqual(['function_call_arguments.delta', 'failed']);
    expect(terminalOf(parts)).toMatchObject({
      status: 'failed',
      error: { code: 'server_error', message: 'what happened' },
      error_type: 'provider_unavailable',
      output: [{ status: 'completed' }, { status: 'incomplete', arguments: '{"amount":1' }],
    });
  });

  test('hides what happened when it was our own fault', () => {
    expect(terminalOf([...text(0, 'a'), error('internal')])).toMatchObject({
      error: { code: 'server_error', message: 'Internal Server Error' },
      error_type: 'server',
    });
  });

  test('is incomplete when the model ran out of its window after it had begun', () => {
    expect(terminalOf([...text(0, 'a'), error('context_length_exceeded')])).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    expect(terminalOf([error('context_length_exceeded')])).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_prompt' },
      error_type: 'context_length_exceeded',
    });
  });

  test('has no usage when nothing was served', () => {
    const state = stateAfter([error('provider_unavailable')]);
    const response = finalResponse(state, { ...settlement, usage: undefined });
    expect(response.usage).toBeNull();
  });

  test('cannot come before the last part', () => {
    expect(() => finalResponse(stateAfter(text(0, 'a')), settlement)).toThrow('invariant');
  });
});

test('a part that never began, or begins twice, is a bug', () => {
  expect(() => stateAfter([{ type: 'text-delta', part: 0, delta: 'a' }])).toThrow('invariant');
  expect(() => stateAfter([{ type: 'text-end', part: 0 }])).toThrow('invariant');
  const start = { type: 'text-start', part: 0 } as const;
  expect(() => stateAfter([start, start])).toThrow('invariant');
});

test('a call has its namespace and its async flag from its first event on', () => {
  const parts: readonly StreamPart[] = [
    { type: 'tool-call-start', part: 0, callId: 'a', name: 'f', namespace: 'crm', isAsync: true },
    { type: 'tool-call-delta', part: 0, delta: '{}' },
    { type: 'tool-call-end', part: 0 },
    { type: 'tool-call-start', part: 1, callId: 'b', name: 'g', isCustom: true },
    { type: 'tool-call-end', part: 1 },
    finish('tool-calls'),
  ];
  const named = { type: 'function_call', name: 'f', namespace: 'crm', async: true };
  const { output } = terminalOf(parts);
  expect(output[0]).toMatchObject({ ...named, arguments: '{}' });
  expect(output[1]).not.toHaveProperty('namespace');
  expect(output[1]).not.toHaveProperty('async');
  const items = eventsOf(parts).flatMap((event) => ('item' in event ? [event.item] : []));
  expect(items.slice(0, 2)).toMatchObject([named, named]);
});
