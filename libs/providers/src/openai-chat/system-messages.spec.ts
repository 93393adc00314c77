import { describe, expect, test } from 'vitest';
import { refusesSystemMessages, withOneSystemMessage } from './system-messages.ts';

const system = (content: string) => ({ role: 'system', content }) as const;
const user = { role: 'user', content: 'hi' } as const;

describe('one system message', () => {
  test('has the instructions of all, in their order, and stands first', () => {
    const messages = [system('a'), user, system('b'), { role: 'developer', content: 'c' } as const];
    expect(withOneSystemMessage(messages)).toEqual([system('a\n\nb\n\nc'), user]);
    expect(withOneSystemMessage([user, system('b')])).toEqual([system('b'), user]);
  });

  test('keeps the parts of contents', () => {
    const part = { type: 'text', text: 'b', cache_control: { type: 'ephemeral' } } as const;
    const marked = { role: 'system', content: [part] } as const;
    expect(withOneSystemMessage([system('a'), marked])).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'a' }, part] },
    ]);
  });

  test('changes nothing where it is so already', () => {
    for (const messages of [[system('a'), user], [user], []])
      expect(withOneSystemMessage(messages)).toBe(messages);
  });
});

describe('a refusal of system messages', () => {
  test.each([
    'Jinja Exception: System message must be at the beginning.',
    "raise_exception('System message must be at the beginning.')",
    'Only the first message can be a system message',
    'only one system message is supported',
    'Conversation may contain at most one system prompt, at the start',
    'System role is only allowed in the first message',
    'multiple system messages are not supported',
  ])('is known from its words: %s', (message) => {
    for (const status of [400, 422, 500])
      for (const body of [
        { error: { message } },
        { object: 'error', message },
        { detail: message },
      ])
        expect(refusesSystemMessages(status, body)).toBe(true);
    expect(refusesSystemMessages(429, { error: { message } })).toBe(false);
  });

  test.each([
    'temperature: too high',
    'System message must not be empty',
    'Insufficient system resources',
    'messages: at least one message is required',
  ])('is not meant by: %s', (message) => {
    expect(refusesSystemMessages(400, { error: { message } })).toBe(false);
  });
});
