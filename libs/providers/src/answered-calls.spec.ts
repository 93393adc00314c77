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
  ])('that stand where they must stay there: %s', (_, items) => {
    expect(withAnsweredCalls(items)).toEqual(items);
  });

  test('that come after something else are told behind their calls', () => {
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

  test('that have not come yet are said to be missing', () => {
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

  test('that come a second time are told by the user', () => {
    const [, , third] = withAnsweredCalls([call('a'), answer('a'), answer('a', 'again')]);
    expect(third).toMatchObject({ type: 'message', role: 'user' });
    expect(JSON.stringify(third)).toContain('again');
  });
});
