import type { InputItem, ReasoningItem, Tool } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import type { HistoryNeeds } from './history-needs.ts';
import { interruptedOutput, repairHistory } from './repair-history.ts';

const inOrder: HistoryNeeds = { textsFirst: false };
const textsFirst: HistoryNeeds = { textsFirst: true };
const repaired = (items: readonly InputItem[], needs = inOrder, tools: readonly Tool[] = []) =>
  repairHistory({ items, tools }, needs);

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
  ])('that are in the right place stay there: %s', (_, items) => {
    expect(repaired(items)).toEqual(items);
  });

  test('that arrive later move directly after their calls', () => {
    expect(repaired([call('a'), call('b'), answer('a'), user, answer('b'), model])).toEqual([
      call('a'),
      call('b'),
      answer('a'),
      answer('b'),
      user,
      model,
    ]);
    expect(repaired([call('a'), call('b'), answer('a'), model, answer('b')])).toEqual([
      call('a'),
      call('b'),
      answer('a'),
      answer('b'),
      model,
    ]);
  });

  test('that are missing are replaced by a note', () => {
    expect(repaired([call('a'), user])).toMatchObject([
      call('a'),
      {
        type: 'function-call-output',
        callId: 'a',
        output: interruptedOutput,
      },
      user,
    ]);
    const tool: Tool = {
      type: 'function',
      name: 'f',
      description: undefined,
      parameters: undefined,
      strict: undefined,
      isAsync: true,
    };
    expect(repaired([call('a'), user], inOrder, [tool])[1]).toMatchObject({
      output: expect.stringContaining('no answer yet'),
    });
    expect(repaired([custom])).toMatchObject([custom, { type: 'custom-tool-call-output' }]);
  });

  test('appear once, and other calls with their id get a reference', () => {
    const again = answer('a', '(The answer to this call is above.)');
    expect(repaired([call('a'), answer('a'), user, call('a'), user, call('a')])).toEqual([
      call('a'),
      answer('a'),
      user,
      call('a_2'),
      { ...again, callId: 'a_2' },
      user,
      call('a_3'),
      { ...again, callId: 'a_3' },
    ]);
    expect(repaired([call('a'), user, call('a'), user, answer('a')])).toEqual([
      call('a'),
      answer('a'),
      user,
      call('a_2'),
      { ...again, callId: 'a_2' },
      user,
    ]);
    const [first, , note] = repaired([answer('a'), call('a')]);
    expect(first).toMatchObject({ type: 'message', role: 'user' });
    expect(note).toEqual(again);
  });

  test('that repeat become user messages', () => {
    const [, , third] = repaired([call('a'), answer('a'), answer('a', 'again')]);
    expect(third).toMatchObject({ type: 'message', role: 'user' });
    expect(JSON.stringify(third)).toContain('again');
  });
});

describe('calls with the same id get different ones, with their answers,', () => {
  test.each<[string, readonly InputItem[], readonly InputItem[]]>([
    [
      'in two turns',
      [call('a'), answer('a', '1'), user, call('a'), answer('a', '2')],
      [call('a'), answer('a', '1'), user, call('a_2'), answer('a_2', '2')],
    ],
    [
      'in one turn',
      [call('a'), call('a'), answer('a', '1'), answer('a', '2')],
      [call('a'), call('a_2'), answer('a', '1'), answer('a_2', '2')],
    ],
    [
      'of two kinds',
      [user, call('a'), custom, customAnswer, answer('a')],
      [
        user,
        call('a'),
        { ...custom, callId: 'a_2' },
        { ...customAnswer, callId: 'a_2' },
        answer('a'),
      ] as readonly InputItem[],
    ],
    [
      'that no other call has',
      [call('a'), answer('a'), call('a_2'), answer('a_2'), call('a'), answer('a')],
      [call('a'), answer('a'), call('a_2'), answer('a_2'), call('a_3'), answer('a_3', 'a')],
    ],
  ])('%s', (_, items, expected) => {
    expect(repaired(items)).toEqual(expected);
    expect(repaired(items, textsFirst)).toEqual(expected);
  });

  test('which stay the same while the conversation grows', () => {
    const turn = [call('a'), answer('a'), user];
    const long = repaired([...turn, ...turn, ...turn, call('a_2'), answer('a_2')]);
    expect(long.slice(0, 2 * turn.length)).toEqual(repaired([...turn, ...turn]));
    const ids = long.flatMap((item) => (item.type === 'function-call' ? [item.callId] : []));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('an item between a call and its answer', () => {
  const thought = (id: string, format = 'mine'): ReasoningItem => ({
    type: 'reasoning',
    id,
    summary: [],
    content: ['hm'],
    encrypted: undefined,
    signature: 'sig',
    format,
  });
  const [r1, r2] = [thought('r1'), thought('r2')];
  const a = call('a');
  const b = call('b');

  test.each<[string, readonly InputItem[], readonly InputItem[], readonly InputItem[]]>([
    [
      'a text of the assistant',
      [user, a, model, answer('a')],
      [user, model, a, answer('a')],
      [user, a, model, answer('a')],
    ],
    [
      'a text after a thought and a call',
      [r1, a, model, answer('a')],
      [r1, model, a, answer('a')],
      [r1, a, model, answer('a')],
    ],
    [
      'a message of the user',
      [a, user, answer('a'), model],
      [a, answer('a'), user, model],
      [a, answer('a'), user, model],
    ],
    [
      'thoughts of parallel calls',
      [r1, a, r2, b, answer('b'), answer('a')],
      [r1, a, r2, b, answer('b'), answer('a')],
      [r1, a, r2, b, answer('b'), answer('a')],
    ],
    [
      'a thought that belongs to the next call',
      [r1, a, r2, answer('a'), b, answer('b')],
      [r1, a, answer('a'), r2, b, answer('b')],
      [r1, a, answer('a'), r2, b, answer('b')],
    ],
    [
      'a second answer among those of parallel calls',
      [a, b, answer('a'), answer('a', 'again'), answer('b')],
      [a, b, answer('a'), answer('b'), said('user', '(Another answer to the call a:) again')],
      [a, b, answer('a'), answer('b'), said('user', '(Another answer to the call a:) again')],
    ],
  ])('goes before or after them: %s', (_, items, first, ordered) => {
    expect(repaired(items, textsFirst)).toEqual(first);
    expect(repaired(items, inOrder)).toEqual(ordered);
  });

  test('is left out if it is a thought that the dialect cannot read', () => {
    const foreign = thought('r3', 'other');
    const items = [user, r1, foreign, a, answer('a')];
    const needs = { ...textsFirst, thoughtFormat: 'mine' };
    expect(repaired(items, needs)).toEqual([user, r1, a, answer('a')]);
    expect(repaired(items)).toEqual(items);
    expect(repaired([foreign], needs)).toEqual([]);
  });

  test('is left out if it is a thought after which the model said nothing', () => {
    expect(repaired([user, r1, user, r2])).toEqual([user, user]);
    expect(repaired([a, r1, answer('a'), user, model])).toEqual([a, answer('a'), user, model]);
  });

  test('stays if no call is there', () => {
    const items = [user, r1, model];
    expect(repaired(items, textsFirst)).toEqual(items);
  });
});

describe('pictures of the model', () => {
  const picture = (base64: string) =>
    ({
      type: 'image',
      source: { type: 'data', mediaType: 'image/png', base64 },
      detail: 'auto',
    }) as const;
  const text = (value: string) => ({ type: 'text', text: value }) as const;
  const drawn = (
    ...content: (ReturnType<typeof picture> | ReturnType<typeof text>)[]
  ): InputItem => ({
    type: 'message',
    role: 'assistant',
    content,
  });
  const asked = (
    ...content: (ReturnType<typeof picture> | ReturnType<typeof text>)[]
  ): InputItem => ({
    type: 'message',
    role: 'user',
    content,
  });
  const thoughtBefore: ReasoningItem = {
    type: 'reasoning',
    id: 'r',
    summary: [],
    content: ['hm'],
    encrypted: undefined,
    signature: undefined,
    format: undefined,
  };
  const one = picture('b25l');
  const two = picture('dHdv');

  test.each<[string, readonly InputItem[], readonly InputItem[]]>([
    [
      'move to the next message of the user',
      [user, drawn(text('m'), one), model, asked(text('bluer'))],
      [user, model, model, asked(one, text('bluer'))],
    ],
    ['make one at the end', [user, drawn(one), drawn(two)], [user, asked(one, two)]],
    [
      'stand behind the outputs of calls',
      [user, drawn(one), call('a'), answer('a')],
      [user, call('a'), answer('a'), asked(one)],
    ],
    ['leave no thought behind', [user, thoughtBefore, drawn(one)], [user, asked(one)]],
    ['leave those of the user alone', [asked(one), model], [asked(one), model]],
  ])('%s', (_, items, expected) => {
    expect(repaired(items)).toEqual(expected);
  });

  test('leave the items of a dialect for messages', () => {
    const item = { type: 'image_generation_call', result: 'b25l' };
    const items: readonly InputItem[] = [user, { type: 'native', item, text: '', picture: one }];
    expect(repaired(items)).toEqual([user, asked(one)]);
    expect(repaired(items, { ...inOrder, hasModelPictures: true })).toEqual([user, drawn(one)]);
    expect(repaired(items, { ...inOrder, hasNativeItems: true })).toEqual(items);
  });

  test('stay where the dialect has them', () => {
    const items = [user, drawn(text('m'), one), user];
    expect(repaired(items, { textsFirst: false, hasModelPictures: true })).toEqual(items);
  });
});

describe('the failure of a tool', () => {
  const failed = (output: Extract<InputItem, { type: 'function-call-output' }>['output']) =>
    ({ type: 'function-call-output', callId: 'a', output, isError: true }) as const;
  const inText: HistoryNeeds = { textsFirst: false, tellsFailuresInText: true };
  const text = (value: string) => ({ type: 'text', text: value }) as const;
  const picture = {
    type: 'image',
    source: { type: 'url', url: 'https://a.example/b' },
    detail: 'auto',
  } as const;

  test.each<[string, ReturnType<typeof failed>['output'], ReturnType<typeof failed>['output']]>([
    ['a text', 'ENOENT', 'error: ENOENT'],
    ['a text that says so', 'Error: ENOENT', 'Error: ENOENT'],
    ['no text', '', 'error: '],
    ['parts', [text('ENOENT'), picture], [text('error: ENOENT'), picture]],
    ['a picture', [picture], [text('error:'), picture]],
  ])('stands in its output if the dialect cannot say it: %s', (_, output, told) => {
    expect(repaired([call('a'), failed(output)], inText)[1]).toMatchObject({ output: told });
    expect(repaired([call('a'), failed(output)])[1]).toMatchObject({ output });
  });
});
