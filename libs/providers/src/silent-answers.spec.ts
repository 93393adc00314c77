import type { InferenceRequest, InputItem, StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { failSilence } from './silent-answers.ts';

const usage = { inputTokens: 5, cachedTokens: 0, outputTokens: 3, reasoningTokens: 0 };
const finish = (reason: 'stop' | 'tool-calls' | 'length' | 'content-filter'): StreamPart => ({
  type: 'finish',
  reason,
  nativeReason: reason,
  usage,
});
const start: StreamPart = { type: 'response-start', upstreamId: 'x' };
const marks: readonly StreamPart[] = [
  { type: 'text-start', part: 0 },
  { type: 'text-end', part: 0 },
];
const user: InputItem = { type: 'message', role: 'user', content: [{ type: 'text', text: 'a' }] };
const result: InputItem = { type: 'function-call-output', callId: 'a', output: '' };
const request = (last: InputItem, options: InferenceRequest['options'] = {}): InferenceRequest => ({
  items: [user, last],
  tools: [],
  toolChoice: { type: 'auto' },
  parallelToolCalls: undefined,
  maxOutputTokens: undefined,
  temperature: undefined,
  topP: undefined,
  options,
  stream: false,
});
/** Checks the parts of a stream, one after the other. */
const read = (asked: InferenceRequest, parts: readonly StreamPart[], maySayNothing = false) => {
  const check = failSilence(asked, { maySayNothing });
  return parts.flatMap((part) => check([part]));
};
const empty = { type: 'error', code: 'provider_unavailable', usage };

describe('an answer that says nothing', () => {
  test.each(['stop', 'tool-calls'] as const)('fails with its usage: %s', (reason) => {
    expect(read(request(user), [start, finish(reason)])).toMatchObject([start, empty]);
    expect(read(request(user), [start, ...marks, finish(reason)])).toMatchObject([start, empty]);
  });

  test.each(['length', 'content-filter'] as const)('stays if it was cut: %s', (reason) => {
    const parts = [start, ...marks, finish(reason)];
    expect(read(request(user), parts)).toEqual(parts);
  });

  test.each<[string, InferenceRequest]>([
    ['before a stop sequence', request(user, { stop: ['\n'] })],
    ['after the words that it goes on with', request({ ...user, role: 'assistant' })],
  ])('stays %s', (_, asked) => {
    expect(read(asked, [start, finish('stop')])).toEqual([start, finish('stop')]);
  });

  test('stays after results of tools where models end so', () => {
    const parts = [start, finish('stop')];
    expect(read(request(result), parts, true)).toEqual(parts);
    expect(read(request(result), parts)).toMatchObject([start, empty]);
    expect(read(request(user), parts, true)).toMatchObject([start, empty]);
  });
});

describe('an answer that says something', () => {
  test.each<StreamPart>([
    { type: 'text-delta', part: 1, delta: 'a' },
    { type: 'reasoning-start', part: 1 },
    { type: 'tool-call-start', part: 1, callId: 'a', name: 'f' },
    { type: 'image', part: 1, base64: 'aGk=' },
  ])('has all its parts in their order: $type', (said) => {
    const parts = [start, ...marks, said, ...marks, finish('stop')];
    expect(read(request(user), parts)).toEqual(parts);
  });
});
