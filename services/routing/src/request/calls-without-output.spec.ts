import type { InputItem, Tool } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { callsWithoutOutput, interruptedWarning } from './calls-without-output.ts';

const said: InputItem = { type: 'message', role: 'user', content: [] };
const call = (callId: string, name = 'f'): InputItem => ({
  type: 'function-call',
  callId,
  name,
  arguments: '{}',
});
const output = (callId: string): InputItem => ({
  type: 'function-call-output',
  callId,
  output: 'x',
});
const later: Tool = {
  type: 'function',
  name: 'f',
  description: undefined,
  parameters: undefined,
  strict: undefined,
  isAsync: true,
};
const ids = (items: readonly InputItem[], tools: readonly Tool[] = []) => {
  const { interrupted, open } = callsWithoutOutput(items, tools);
  return [interrupted, open].map((calls) => calls.map((placed) => placed.call.callId));
};

describe('a call without an output', () => {
  test.each<[readonly InputItem[], readonly string[], readonly string[]]>([
    [[said, call('a'), output('a')], [], []],
    [[said, call('a')], [], ['a']],
    [[said, call('a'), call('b')], [], ['a', 'b']],
    [[said, call('a'), said], ['a'], []],
    [[said, call('a'), call('b'), output('b')], ['a'], []],
    [[said, call('a'), said, call('b')], ['a'], ['b']],
  ])('is interrupted if the conversation went on: %o', (items, interrupted, open) => {
    expect(ids(items)).toEqual([interrupted, open]);
  });

  test('is neither if its tool may answer later', () => {
    expect(ids([said, call('a'), said, call('b')], [later])).toEqual([[], []]);
    expect(ids([call('a', 'g'), said], [later])).toEqual([['a'], []]);
  });

  test('is named in a header text of bounded length', () => {
    expect(interruptedWarning([call('a'), output('a')], [])).toBeUndefined();
    expect(interruptedWarning([call('a\r\n', 'ü'), said], [])).toBe(
      'no output of call a?? of ?: the model is told interrupted',
    );
    const many = Array.from({ length: 9 }, (_, index) => call(`c${String(index)}`.repeat(99)));
    const text = interruptedWarning([...many, said], []) ?? '';
    expect(text).toContain('and 4 more');
    expect(text.length).toBeLessThan(500);
  });
});
