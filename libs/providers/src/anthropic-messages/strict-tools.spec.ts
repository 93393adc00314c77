import { describe, expect, test } from 'vitest';
import type { PlainTool } from '../plain-request.ts';
import { strictTools } from './strict-tools.ts';

const model = 'claude-opus-4-7';
const closed = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const tool = (parameters: Readonly<Record<string, unknown>>, name = 'f'): PlainTool => ({
  type: 'function',
  name,
  description: undefined,
  parameters,
  strict: true,
});
const text = { type: 'string' };
const city = tool(closed({ city: text }));

describe('a tool that its client calls strict', () => {
  test.each([
    ['a closed object', city],
    ['no parameters', tool({ properties: {}, additionalProperties: false })],
    ['the name of its dialect', tool({ $schema: 'https://s.example', ...closed({ a: text }) })],
    ['choices', tool(closed({ a: { anyOf: [text, { type: 'null' }] } }))],
    ['lists of objects', tool(closed({ a: { type: 'array', items: closed({ b: text }) } }))],
  ])('is strict with %s', (_, each) => {
    expect(strictTools(model, [each])).toEqual(new Set([each]));
  });

  test.each([
    ['an open object', tool({ type: 'object', properties: { a: text } })],
    ['an open object inside', tool(closed({ a: { type: 'object', properties: {} } }))],
    ['a keyword that the API refuses', tool(closed({ a: { type: 'integer', minimum: 1 } }))],
    ['a reference', tool({ ...closed({ a: { $ref: '#/$defs/a' } }), $defs: { a: text } })],
    ['25 optional fields', tool(closed(named(25, text), []))],
    ['17 unions', tool(closed(named(17, { type: ['string', 'null'] })))],
  ])('is an ordinary one with %s', (_, each) => {
    expect(strictTools(model, [each])).toEqual(new Set());
  });

  test('is an ordinary one beyond the limits of all tools together', () => {
    const many = Array.from({ length: 21 }, (_, index) => tool(closed({}), `f${index}`));
    expect(strictTools(model, many)).toEqual(new Set(many.slice(0, 20)));
    const [first, second, third] = [13, 12, 11].map((count) =>
      tool(closed(named(count, text), []), `optional${count}`),
    );
    if (!first || !second || !third) throw new Error('three tools');
    expect(strictTools(model, [first, second, third])).toEqual(new Set([first, third]));
  });

  test('is an ordinary one for a model that has no strict tools', () => {
    expect(strictTools('claude-opus-4-1', [city])).toEqual(new Set());
  });
});

test('a tool that its client does not call strict is an ordinary one', () => {
  const { strict: _strict, ...loose } = city;
  expect(strictTools(model, [{ ...loose, strict: undefined }])).toEqual(new Set());
});

function named(count: number, schema: object): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema]));
}
