import type { FunctionTool } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { findTools } from './find-tools.ts';

const tool = (name: string, description = ''): FunctionTool => ({
  type: 'function',
  name,
  description,
  parameters: { type: 'object', properties: { city: { description: 'Where it is' } } },
  strict: undefined,
});
const many = Array.from({ length: 100 }, (_, index) =>
  tool(`tool_${String(index)}`, 'Does a thing'),
);
const names = (found: ReturnType<typeof findTools>) =>
  'problem' in found ? found.problem : found.tools.map(({ name }) => name);

describe('a search of tools', () => {
  test('returns all matches if there are few', () => {
    const found = findTools([tool('a'), tool('b')], 'where it', 5);
    expect(found).toMatchObject({ total: 2, tools: [{ name: 'a' }, { name: 'b' }] });
  });

  test('ranks by the words of the pattern if there are many', () => {
    const weather = tool('get_weather', 'Does a thing');
    const found = findTools([...many, weather], 'weather|thing', 3);
    expect(found).toMatchObject({ total: 101 });
    expect(names(found)[0]).toBe('get_weather');
    expect(names(found)).toHaveLength(3);
  });

  test.each(['(', '(?<=a)b', '[z-a]', '(a)\\1'])(
    'has no result for a pattern that is none: %s',
    (pattern) => {
      expect(findTools(many, pattern, 5)).toEqual({ problem: 'the regular expression is invalid' });
    },
  );

  test('refuses a pattern that takes too long, and is linear for others', () => {
    const large = many.map(({ name }) => tool(name, 'a'.repeat(10_000)));
    expect(findTools(large, '((a{100}){9})+$', 5)).toEqual({
      problem: 'the regular expression is too slow: use a simpler one',
    });
    expect(findTools(large, '(a+)+$', 5)).toMatchObject({ total: 100 });
  });
});
