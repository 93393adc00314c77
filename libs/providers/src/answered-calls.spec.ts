import type { InputItem } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { withAnsweredCalls } from './answered-calls.ts';

const said = (role: 'user' | 'assistant' | 'system', text: string): InputItem => ({
  type: 'message',
  role,
  content: [{ type: 'text', text }],
});
const call = (callId: string): InputItem => ({
  type: 'function-call',
  callId,
  name: 'f',
  arguments: '{}',
});
const answer = (callId: string, output = callId): InputItem => ({
  type: 'function-call-output',
  callId,
  output,
});
const custom: InputItem = { type: 'custom-tool-call', callId: 'a', name: 'g', input: '' };
const customAnswer: InputItem = { type: 'custom-tool-call-output', callId: 'a', output: 'x' };
const user = said('user', 'u');
const model = said('assistant', 'm');

describe('the answers of calls', () => {
  test.each<[string, readonly InputItem[]]>([
    ['of none', [user, model]],
    ['right behind', [user, call('a'), answer('a'), model]],
    ['of several, in any order', [user, call('a'), call('b'), answer('b'), answer('a')]],
    ['of one after the other', [user, call('a'), answer('a'), call('b'), answer('b')]],
    ['behind what the model said after them', [user, call('a'), model, answer('a')]],
    ['of two kinds with one id', [user, call('a'), custom, customAnswer, answer('a')]],
  ])('that are in the right place stay there: %s', (_, items) => {
    expect(withAnsweredCalls(items)).toEqual(items);
  });

  test('that arrive later move directly after their calls', () => {
    expect(
      withAnsweredCalls([call('a'), call('b'), answer('a'), user, answer('b'), model]),
    ).toEqual([call('a'), call('b'), answer('a'), answer('b'), user, model]);
    expect(withAnsweredCalls([call('a'), call('b'), answer('a'), model, answer('b')])).toEqual([
      call('a'),
      call('b'),
      answer('a'),
      answer('b'),
      model,
    ]);
  });

  test('that are missing are replaced by a note', () => {
    expect(withAnsweredCalls([call('a'), user])).toMatchObject([
      call('a'),
      {
        type: 'function-call-output',
        callId: 'a',
        output: expect.stringContaining('no answer yet'),
      },
      user,
    ]);
    expect(withAnsweredCalls([custom])).toMatchObject([
      custom,
      { type: 'custom-tool-call-output' },
    ]);
  });

  test('appear once, and other calls with their id get a reference', () => {
    const again = answer('a', '(The answer to this call is above.)');
    expect(withAnsweredCalls([call('a'), answer('a'), user, call('a'), user, call('a')])).toEqual([
      call('a'),
      answer('a'),
      user,
      call('a'),
      again,
      user,
      call('a'),
      again,
    ]);
    expect(withAnsweredCalls([call('a'), user, call('a'), user, answer('a')])).toEqual([
      call('a'),
      answer('a'),
      user,
      call('a'),
      again,
      user,
    ]);
    const [first, , note] = withAnsweredCalls([answer('a'), call('a')]);
    expect(first).toMatchObject({ type: 'message', role: 'user' });
    expect(note).toEqual(again);
  });

  test('that repeat become user messages', () => {
    const [, , third] = withAnsweredCalls([call('a'), answer('a'), answer('a', 'again')]);
    expect(third).toMatchObject({ type: 'message', role: 'user' });
    expect(JSON.stringify(third)).toContain('again');
  });
});
