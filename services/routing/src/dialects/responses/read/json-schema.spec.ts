import { describe, expect, test } from 'vitest';
import { accepted, issuePaths, type Body } from '../testing/request-body.ts';

const asking = (schema: unknown): Body => ({
  text: { format: { type: 'json_schema', name: 'answer', schema } },
});

describe('the schema of an answer', () => {
  test.each<Body>([
    {},
    { type: 'object', properties: {}, additionalProperties: false },
    { type: ['string', 'null'], enum: ['a', null], default: null },
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      anyOf: [{ $ref: '#/$defs/node' }, { $ref: '#' }, { $ref: 'https://a.example/b.json' }],
    },
    { definitions: { 'a/b': true }, properties: { a: { $ref: '#/definitions/a~1b' } } },
    { type: 'array', items: [{ type: 'integer' }, true], minItems: 1, uniqueItems: true },
    { type: 'string', pattern: '^\\p{L}+$', minLength: 0, format: 'email', title: 't' },
    { type: 'string', pattern: '\\-' },
    { type: 'number', minimum: -1, multipleOf: 0.01, exclusiveMinimum: true },
    { properties: { type: { type: 'string' }, properties: { type: 'object' } } },
    { examples: [{ $ref: 1 }], 'x-own': { type: 7 } },
  ])('may be %o', (schema) => {
    expect(accepted(asking(schema)).inference.options?.format).toMatchObject({ schema });
  });

  test.each<[unknown, string]>([
    ['x', ''],
    [[], ''],
    [{ type: 'text' }, '.type'],
    [{ type: ['string', 'any'] }, '.type[1]'],
    [{ type: [] }, '.type'],
    [{ properties: [] }, '.properties'],
    [{ properties: { a: 'string' } }, '.properties.a'],
    [
      { properties: { a: { properties: { b: { type: 'int' } } } } },
      '.properties.a.properties.b.type',
    ],
    [{ items: 'string' }, '.items'],
    [{ prefixItems: [{ type: 'x' }] }, '.prefixItems[0].type'],
    [{ anyOf: {} }, '.anyOf'],
    [{ oneOf: [] }, '.oneOf'],
    [{ not: null }, '.not'],
    [{ required: 'a' }, '.required'],
    [{ required: [1] }, '.required[0]'],
    [{ enum: [] }, '.enum'],
    [{ additionalProperties: 'no' }, '.additionalProperties'],
    [{ pattern: 7 }, '.pattern'],
    [{ patternProperties: { '^a': 1 } }, '.patternProperties.^a'],
    [{ minLength: -1 }, '.minLength'],
    [{ maxItems: 1.5 }, '.maxItems'],
    [{ maximum: '9' }, '.maximum'],
    [{ multipleOf: 0 }, '.multipleOf'],
    [{ uniqueItems: 1 }, '.uniqueItems'],
    [{ $ref: '#/$defs/nobody' }, '.$ref'],
    [{ $defs: {}, items: { $ref: '#/$defs/constructor' } }, '.items.$ref'],
  ])('cannot be %o', (schema, path) => {
    expect(issuePaths(asking(schema))).toEqual([`text.format.schema${path}`]);
  });
});
