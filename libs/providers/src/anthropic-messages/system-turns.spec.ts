import type { InferenceRequest, InputItem } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { wireBody } from '../wire-body.ts';

const turn = (role: 'system' | 'developer' | 'user' | 'assistant', text: string): InputItem => ({
  type: 'message',
  role,
  content: [{ type: 'text', text }],
});
const letters = { s: 'system', d: 'developer', u: 'user', a: 'assistant' } as const;

/** Sends a conversation that is written as its roles, and returns it in the same way: the system texts, then the turns. */
function sent(said: string, upstreamModel: string, provider: string): string {
  const items = Array.from(said, (letter, index) =>
    turn(letters[letter as keyof typeof letters], `${letter}${String(index)}`),
  );
  const request: InferenceRequest = {
    items,
    tools: [],
    toolChoice: { type: 'auto' },
    parallelToolCalls: undefined,
    maxOutputTokens: 10,
    temperature: undefined,
    topP: undefined,
    stream: false,
  };
  const dialect = 'anthropic-messages';
  const baseUrl = 'https://a.example/v1';
  const endpoint = { provider, dialect, baseUrl, apiKey: undefined, upstreamModel } as const;
  const { system = [], messages } = wireBody(endpoint, request) as {
    readonly system?: readonly { readonly text: string }[];
    readonly messages: readonly {
      readonly role: string;
      readonly content: readonly { readonly text: string }[];
    }[];
  };
  const texts = (blocks: readonly { readonly text: string }[]) =>
    blocks.map(({ text }) => text).join('+');
  const turns = messages.map(({ role, content }) => `${role}:${texts(content)}`);
  return [`(${texts(system)})`, ...turns].join(' ');
}

describe('a system text in the middle of a conversation', () => {
  test.each<[string, string]>([
    ['suasu', '(s0+s3) user:u1 assistant:a2 user:u4'],
    ['usa', '() user:u0 system:s1 assistant:a2'],
    ['us', '() user:u0 system:s1'],
    ['usda', '() user:u0 system:s1+d2 assistant:a3'],
    ['usu', '(s1) user:u0+u2'],
    ['usus', '(s1) user:u0+u2 system:s3'],
    ['uas', '(s2) user:u0 assistant:a1'],
    ['susau', '(s0) user:u1 system:s2 assistant:a3 user:u4'],
  ])('stays where the API takes it: %s', (said, meant) => {
    expect(sent(said, 'claude-opus-4-8', 'anthropic')).toBe(meant);
  });

  test.each([
    ['claude-opus-4-7', 'anthropic'],
    ['claude-opus-4-8', 'azure'],
  ])('goes before the conversation for %s at %s', (model, provider) => {
    expect(sent('susa', model, provider)).toBe('(s0+s2) user:u1 assistant:a3');
  });
});
