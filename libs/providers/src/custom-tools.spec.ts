import type { InferenceRequest, StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { asCustomCalls } from './custom-tools.ts';

const request = (tools: InferenceRequest['tools']): InferenceRequest => ({
  items: [],
  tools,
  toolChoice: { type: 'auto' },
  parallelToolCalls: undefined,
  maxOutputTokens: undefined,
  temperature: undefined,
  topP: undefined,
  stream: true,
});
const custom = { type: 'custom', name: 'sql', description: undefined, format: undefined } as const;
const start = (part: number, name: string): StreamPart => ({
  type: 'tool-call-start',
  part,
  callId: `call_${String(part)}`,
  name,
});
const delta = (part: number, text: string): StreamPart => ({
  type: 'tool-call-delta',
  part,
  delta: text,
});
const end = (part: number): StreamPart => ({ type: 'tool-call-end', part });
const read = (...parts: readonly StreamPart[]): readonly StreamPart[] => {
  const change = asCustomCalls(request([custom]));
  return change ? parts.flatMap((part) => change([part])) : parts;
};

describe('a call of a custom tool that is sent as a function', () => {
  test('emits its input text at its end', () => {
    const parts = read(start(0, 'sql'), delta(0, '{"inp'), delta(0, 'ut":"SELECT 1"}'), end(0));
    expect(parts).toEqual([{ ...start(0, 'sql'), isCustom: true }, delta(0, 'SELECT 1'), end(0)]);
  });

  test('leaves parallel function calls unchanged', () => {
    const parts = read(start(0, 'f'), start(1, 'sql'), delta(0, '{}'), delta(1, '{"input":"x"}'));
    expect(parts).toEqual([start(0, 'f'), { ...start(1, 'sql'), isCustom: true }, delta(0, '{}')]);
  });

  test.each(['{"input":', '{"other":1}', '[]', 'SELECT'])(
    'with unexpected arguments emits them unchanged: %s',
    (text) => {
      expect(read(start(0, 'sql'), delta(0, text), end(0))[1]).toEqual(delta(0, text));
    },
  );

  test('that was cut emits the input that arrived', () => {
    const finish: StreamPart = {
      type: 'finish',
      reason: 'length',
      nativeReason: 'length',
      usage: undefined,
    };
    const parts = read(start(0, 'sql'), delta(0, '{"input":"SEL'), finish);
    expect(parts.slice(1)).toEqual([delta(0, '{"input":"SEL'), finish]);
  });

  test('needs no conversion if the request has no custom tool', () => {
    expect(asCustomCalls(request([]))).toBeUndefined();
  });
});
