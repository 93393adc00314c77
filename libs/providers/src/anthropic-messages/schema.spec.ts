import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { expect, test } from 'vitest';
import { answerSchema } from './schema.ts';

const schemas = {
  person: {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    required: ['name'],
  },
  'with what cannot be held': {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    description: 'd',
    properties: {
      code: { type: 'string', pattern: '^a', minLength: 2 },
      when: { type: 'string', format: 'date' },
      odd: { type: 'string', format: 'isbn' },
      list: { type: 'array', items: { type: 'object', properties: {} }, minItems: 3 },
    },
    required: [],
    additionalProperties: true,
  },
  'of choices': {
    $defs: { a: { type: 'object', properties: { x: { type: 'number' } } } },
    anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }, { enum: ['x', 'y'] }],
  },
} as const;

test.each(Object.entries(schemas))(
  'a schema is converted as the SDK of Anthropic does it: %s',
  (_, schema) => {
    expect(answerSchema(schema)).toEqual(transformJSONSchema(schema as never));
  },
);

test('an endlessly nested schema is read to a bound', () => {
  let schema: Record<string, unknown> = { type: 'string' };
  for (let depth = 0; depth < 200; depth++) schema = { type: 'array', items: schema };
  expect(JSON.stringify(answerSchema(schema)).length).toBeGreaterThan(64);
});
