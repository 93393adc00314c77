import type { InputItem, StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { uniqueCalls } from './unique-calls.ts';

const start = (part: number, callId: string): StreamPart => ({
  type: 'tool-call-start',
  part,
  callId,
  name: 'f',
});
const idsOf = (parts: readonly StreamPart[]): readonly string[] =>
  parts.flatMap((part) => (part.type === 'tool-call-start' ? [part.callId] : []));
const earlier: readonly InputItem[] = [
  { type: 'function-call', callId: 'a', name: 'f', arguments: '{}' },
  { type: 'function-call-output', callId: 'b', output: '' },
];
const minted = /^call_[0-9a-f]{32}$/;

describe('the id of a call', () => {
  test('stays if it is new', () => {
    const parts = [start(0, 'x'), start(1, 'y')];
    expect(uniqueCalls(earlier)(parts)).toEqual(parts);
  });

  test.each([
    ['if the server sends none', [], ['', '']],
    ['if it was in the conversation, of a call or an answer', earlier, ['a', 'b']],
  ])('is minted %s, and never twice the same', (_, items, ids) => {
    const answer = () => idsOf(uniqueCalls(items)(ids.map((id, part) => start(part, id))));
    const [first, second] = [answer(), answer()];
    for (const id of [...first, ...second]) expect(id).toMatch(minted);
    expect(new Set([...first, ...second]).size).toBe(4);
  });

  test('that repeats in one answer is new at the second call, also in a later event', () => {
    const name = uniqueCalls([]);
    const ids = [...idsOf(name([start(0, 'x')])), ...idsOf(name([start(1, 'x')]))];
    expect(ids).toEqual(['x', expect.stringMatching(minted)]);
  });

  test('concerns no other parts', () => {
    const parts: readonly StreamPart[] = [{ type: 'text-start', part: 0 }];
    expect(uniqueCalls([])(parts)).toBe(parts);
  });
});
