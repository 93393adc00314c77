import { describe, expect, test } from 'vitest';
import { accepted, message, refused } from '../testing/request-body.ts';

const strict = { unsupported_features: 'strict' };

describe('an item of a kind that the contract does not name', () => {
  const dream = { type: 'dream', id: 'd_1', role: 'user', content: [{ type: 'x', text: 'sheep' }] };

  test.each<[object, string, string]>([
    [dream, 'user', 'sheep'],
    [{ type: 'dream', text: 'sheep' }, 'assistant', 'sheep'],
    [{ type: 'dream', role: 'king', content: 'sheep' }, 'assistant', 'sheep'],
  ])('is read as its text: %j', (item, role, text) => {
    const { inference, warning } = accepted({ input: [message('hi'), item] });
    expect(inference.items).toMatchObject([
      { role: 'user' },
      { type: 'message', role, content: [{ type: 'text', text }] },
    ]);
    expect(warning).toBe('item dream read as text');
  });

  test('is left out if it has no text, and named once', () => {
    const none = { type: 'dream', content: [{ type: 'image' }] };
    const { inference, warning } = accepted({ input: [none, message('hi'), none] });
    expect(inference.items).toHaveLength(1);
    expect(warning).toBe('item dream left out');
  });

  test('is refused in strict mode', () => {
    expect(refused({ input: [dream], ...strict })).toMatchObject({
      rejected: 'invalid_prompt',
      metadata: { issues: [{ path: 'input[0].type' }] },
    });
  });
});

describe('a word of include that the contract does not name', () => {
  const include = ['reasoning.encrypted_content', 'dream.content', 'file_search_call.results'];

  test('is left out and named', () => {
    const { inference, warning } = accepted({ include });
    expect(inference.options).toMatchObject({
      includesEncryptedReasoning: true,
      include: ['file_search_call.results'],
    });
    expect(warning).toBe('include dream.content left out');
  });

  test('is refused in strict mode, or if it is no word', () => {
    expect(refused({ include, ...strict }).message).toMatch(
      /^Invalid request: include\[1\]: must be one of code_interpreter_call.outputs, /,
    );
    for (const word of ['a b', '', 7]) expect(refused({ include: [word] }).message).toMatch('incl');
  });
});
