import { expect, test } from 'vitest';
import { openThought, sealThought } from './sealed-thought.ts';

test.each([
  [{ encrypted: 'blob', format: 'openai-responses-v1' }, undefined],
  [{ signature: 'sig', format: 'anthropic-claude-v1' }, 'Grüße 👋'],
  [{ signature: 'sig', format: 'google-gemini-v1' }, undefined],
  [{ format: 'unknown' }, 'plain'],
])('what is sealed is opened again: %o', (replay, content) => {
  const sealed = sealThought(replay, content);
  expect(sealed).toMatch(/^[\w.-]+$/);
  expect(openThought(sealed)).toEqual({ ...empty, ...replay, content });
});

const empty = { encrypted: undefined, signature: undefined, format: undefined };

test('what others have written is left to them, and what is broken says nothing', () => {
  for (const text of [undefined, '', 'gAAAAAB', 'thought.v1.', 'thought.v1.####', 'thought.v1.W10'])
    expect(openThought(text)).toBeUndefined();
  const strange = Buffer.from('{"format":1,"encrypted":[]}').toString('base64url');
  expect(openThought(`thought.v1.${strange}`)).toEqual({ ...empty, content: undefined });
});
