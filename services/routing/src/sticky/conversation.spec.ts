import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import type { InferenceRequest, InputItem } from '@sluice/inference';
import { describe, test } from 'vitest';
import { textRequest } from '../testing/text-request.ts';
import { conversationOf } from './conversation.ts';

type Role = 'system' | 'developer' | 'user' | 'assistant';

const say = (role: Role, text: string): InputItem => ({
  type: 'message',
  role,
  content: [{ type: 'text', text }],
});
const asked = (items: readonly InputItem[], promptCacheKey?: string): InferenceRequest => ({
  ...textRequest('x'),
  items,
  ...(promptCacheKey !== undefined && { options: { promptCacheKey } }),
});
const keyOf = (items: readonly InputItem[]) => conversationOf(undefined, asked(items))?.key;

const begun = [say('system', 'Be brief.'), say('user', 'one')];
const call: InputItem = { type: 'function-call', callId: 'c', name: 'f', arguments: '{}' };
const output: InputItem = { type: 'function-call-output', callId: 'c', output: 'done' };

describe('a conversation', () => {
  test('is its session, else its cache key, else its beginning; only a session is named', () => {
    deepEqual(conversationOf('s', asked(begun, 'k')), { key: 'session:s', isNamed: true });
    deepEqual(conversationOf(undefined, asked(begun, 'k')), { key: 'cache:k', isNamed: false });
    const { key = '', isNamed } = conversationOf(undefined, asked(begun)) ?? {};
    match(key, /^hash:/);
    equal(isNamed, false);
  });

  test('begins with the first instruction and the first other message, whatever follows', () => {
    const later = [...begun, say('assistant', 'two'), say('system', 'Now sing.'), call, output];
    equal(keyOf(later), keyOf(begun));
    equal(keyOf([call, output, ...begun]), keyOf(begun));
    notEqual(keyOf([say('system', 'Sing.'), say('user', 'one')]), keyOf(begun));
    notEqual(keyOf([say('system', 'Be brief.'), say('user', 'two')]), keyOf(begun));
  });

  test('stays the same when its marks for the cache move on', () => {
    const cache = { ttl: '5m' } as const;
    const marked = begun.map((item) =>
      item.type === 'message'
        ? { ...item, content: item.content.map((part) => ({ ...part, cache })) }
        : item,
    );
    equal(keyOf(marked), keyOf(begun));
  });

  test('of an agent without instructions is known by its task', () => {
    const task = say('user', 'task');
    equal(keyOf([task, call, output]), keyOf([task, call, output, say('assistant', 'done')]));
    notEqual(keyOf([task, call, output]), undefined);
  });

  test('is none for a single question, and for items without a message', () => {
    equal(keyOf([say('user', 'one')]), undefined);
    equal(keyOf([call, output]), undefined);
  });
});
