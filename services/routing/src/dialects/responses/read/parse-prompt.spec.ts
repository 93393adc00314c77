import { describe, expect, test } from 'vitest';
import { accepted, issuePaths, refused } from '../testing/request-body.ts';

const text = { type: 'input_text', text: 'x' };
const picture = { type: 'input_image', file_id: 'file-1' };

describe('a stored prompt', () => {
  test('has an id, a version, and texts and parts to stand in it', () => {
    const prompt = {
      id: 'pmpt_1',
      version: '3',
      variables: { city: 'Berlin', a: text, b: picture },
    };
    const { inference, echo } = accepted({ prompt });
    expect(inference.prompt).toEqual({
      id: 'pmpt_1',
      version: '3',
      variables: {
        city: 'Berlin',
        a: { type: 'text', text: 'x' },
        b: { type: 'image', source: { type: 'id', id: 'file-1' }, detail: 'auto' },
      },
    });
    expect(echo.prompt).toEqual(prompt);
    expect(accepted({ prompt: null }).inference).not.toHaveProperty('prompt');
  });

  test('can be all that a request says', () => {
    for (const input of [undefined, []])
      expect(accepted({ input, prompt: { id: 'p' } }).inference.items).toEqual([]);
    expect(refused({ input: [] }).rejected).toBe('invalid_prompt');
  });

  test.each<[unknown, string]>([
    ['pmpt_1', 'prompt'],
    [{}, 'prompt.id'],
    [{ id: '' }, 'prompt.id'],
    [{ id: 'p', version: 3 }, 'prompt.version'],
    [{ id: 'p', variables: [] }, 'prompt.variables'],
    [{ id: 'p', variables: { a: 7 } }, 'prompt.variables.a'],
    [{ id: 'p', variables: { a: { type: 'input_audio' } } }, 'prompt.variables.a.type'],
    [{ id: 'p', variables: { a: { type: 'input_text' } } }, 'prompt.variables.a.text'],
  ])('that is wrong is refused: %o', (prompt, path) => {
    expect(issuePaths({ prompt })).toEqual([path]);
  });
});
