import type { StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { checkedCalls } from './checked-calls.ts';

const usage = { inputTokens: 5, cachedTokens: 0, outputTokens: 3, reasoningTokens: 0 };
const start = (part: number, more: object = {}): StreamPart => ({
  type: 'tool-call-start',
  part,
  callId: `c${String(part)}`,
  name: 'f',
  ...more,
});
const delta = (part: number, text: string): StreamPart => ({
  type: 'tool-call-delta',
  part,
  delta: text,
});
const end = (part: number): StreamPart => ({ type: 'tool-call-end', part });
const finish = (reason: 'tool-calls' | 'length'): StreamPart => ({
  type: 'finish',
  reason,
  nativeReason: reason,
  usage,
});
const texts: readonly StreamPart[] = [
  { type: 'text-start', part: 7 },
  { type: 'text-delta', part: 7, delta: 'a' },
];
/** Checks the parts of a stream, one after the other. */
const checked = (...parts: readonly StreamPart[]): readonly StreamPart[] => {
  const check = checkedCalls();
  return parts.flatMap((part) => check([part]));
};

describe('a call', () => {
  test('with arguments that parse passes, however they are cut', () => {
    const parts = [start(0), delta(0, '{"a"'), delta(0, ':1}'), end(0), finish('tool-calls')];
    expect(checked(...parts)).toEqual(parts);
    expect(checkedCalls()(parts)).toEqual(parts);
  });

  test('without arguments gets an empty object', () => {
    const [begun, ended] = [start(0), end(0)];
    expect(checked(begun, ended)).toEqual([begun, delta(0, '{}'), ended]);
    expect(checked(begun, finish('tool-calls'))).toEqual([
      begun,
      delta(0, '{}'),
      finish('tool-calls'),
    ]);
  });

  test.each([
    ['that does not parse', [delta(0, '{"a":1}{"a":1}'), end(0)]],
    ['that has no end', [delta(0, '{"a":')]],
  ])('%s fails the answer, with its usage', (_, rest) => {
    const parts = [start(0), ...rest, ...texts, start(1), delta(1, '{}'), end(1)];
    const read = checked(...parts, finish('tool-calls'));
    expect(read.at(-1)).toMatchObject({ type: 'error', code: 'provider_unavailable', usage });
    expect(read.filter(({ type }) => type === 'finish')).toEqual([]);
    expect(read).not.toContainEqual(end(0));
  });

  test.each(['{"a":', '{}{}', '[1]', '5', 'hello'])(
    'of a tool that the service runs passes with the arguments %s',
    (text) => {
      const check = checkedCalls(['f']);
      const parts = [start(0), delta(0, text), end(0), ...texts, finish('tool-calls')];
      expect(parts.flatMap((part) => check([part]))).toEqual(parts);
    },
  );

  test('that a limit cut stays open', () => {
    const parts = [start(0), delta(0, '{"a":'), finish('length')];
    expect(checked(...parts)).toEqual(parts);
  });

  test.each([
    ['as it is', ['{"a":1}']],
    ['in a text', [JSON.stringify('{"a":1}')]],
    ['in a text in a text, in pieces', ['  "\\"{', '\\\\\\"a\\\\\\":1}\\""']],
  ])('has the object that its arguments hold %s', (_, pieces) => {
    const read = checked(
      start(0),
      ...pieces.map((piece) => delta(0, piece)),
      end(0),
      finish('tool-calls'),
    );
    const told = read.flatMap((part) => (part.type === 'tool-call-delta' ? [part.delta] : []));
    expect(told).toEqual(['{"a":1}']);
    expect(read.map(({ type }) => type)).toEqual([
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'finish',
    ]);
  });

  test.each(['[1]', '5', 'true', '"a"', '"[1]"', '"5"', JSON.stringify('"a"')])(
    'with the arguments %s fails the answer before it is told',
    (text) => {
      const read = checked(start(0), delta(0, text), end(0), ...texts, finish('tool-calls'));
      expect(read).toMatchObject([{ type: 'error', code: 'provider_unavailable', usage }]);
    },
  );

  test.each(['', ' ', 'null', '"null"', '""'])('with the arguments %j has none', (text) => {
    const [, told] = checked(start(0), delta(0, text), end(0), finish('tool-calls'));
    expect(told).toEqual(delta(0, '{}'));
  });

  test('keeps its place before the parts that come while it begins', () => {
    const parts = [start(0), start(1), delta(1, '{}'), end(1), delta(0, '{}'), end(0)];
    const read = checked(...parts, finish('tool-calls'));
    expect(read).toEqual([...parts, finish('tool-calls')]);
  });

  test('that has not begun is not told when the answer breaks', () => {
    const broken: StreamPart = {
      type: 'error',
      code: 'provider_unavailable',
      message: 'broken',
      providerCode: undefined,
      usage: undefined,
    };
    expect(checked(start(0), delta(0, ' '), broken)).toEqual([broken]);
  });

  test('of a custom tool is free text', () => {
    const parts = [start(0, { isCustom: true }), delta(0, '{'), end(0), finish('tool-calls')];
    expect(checked(...parts)).toEqual(parts);
  });
});
