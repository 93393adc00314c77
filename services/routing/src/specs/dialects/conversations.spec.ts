import { deepEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { CanonicalCall } from '../../request/call.ts';
import {
  anyConversation,
  bodyOf,
  conversationDialects,
  conversations,
  parseCall,
} from '../../testing/conversations/index.ts';

type Conversation = (typeof conversations)[number];

/**
 * Leaves out what a dialect keeps for its own answer (`echo`, `form`), and the ids of thoughts, which are made up where a
 * dialect has none.
 */
function comparable(given: CanonicalCall): object {
  const {
    inference,
    echo: _echo,
    form: _form,
    ...call
  } = given as CanonicalCall & {
    readonly echo?: object;
    readonly form?: object;
  };
  const items = inference.items.map((item) =>
    item.type === 'reasoning' ? { ...item, id: undefined } : item,
  );
  return JSON.parse(JSON.stringify({ ...call, inference: { ...inference, items } })) as object;
}

describe('each conversation is one canonical call, whichever dialect it comes in', () => {
  const check = async (conversation: Conversation): Promise<void> => {
    const calls = await Promise.all(
      conversationDialects.map((dialect) => parseCall(dialect, bodyOf(conversation, dialect))),
    );
    const [responses, chat, messages] = calls.map(comparable);
    deepEqual(chat, responses);
    deepEqual(messages, responses);
  };

  test.each(conversations.map((each) => [each.name, each] as const))('%s', (_, each) =>
    check(each),
  );

  test('any texts, calls and answers of tools', async () => {
    await fc.assert(fc.asyncProperty(anyConversation, check), { numRuns: 200 });
  });
});
