import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type Body, bodyChecks } from '../testing/body-checks.ts';
import { parseMessagesRequest } from './parse-request.ts';
import { isStrictSchema } from './strict-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const closed = (properties: Schema, fields: Schema = {}): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...fields,
});
const deep = (depth: number): Schema => closed(depth === 0 ? {} : { a: deep(depth - 1) });

describe('a schema', () => {
  test.each<[string, Schema]>([
    ['an empty object', closed({})],
    [
      'required properties',
      closed({ a: text, b: { type: ['string', 'null'], enum: ['x', null] } }),
    ],
    ['objects in lists', closed({ a: { type: 'array', items: closed({ b: text }) } })],
    ['alternatives', closed({ a: { anyOf: [closed({ b: text }), { type: 'null' }] } })],
    ['definitions', closed({ a: { $ref: '#/$defs/b' } }, { $defs: { b: closed({ c: text }) } })],
  ])('of OpenAI alone is strict: %s', (_, schema) => {
    equal(isStrictSchema(schema), true);
  });

  test.each<[string, Schema]>([
    ['anything', {}],
    ['a text', text],
    ['an open object', closed({ a: text }, { additionalProperties: undefined })],
    ['an optional property', closed({ a: text, b: text }, { required: ['a'] })],
    ['no list of required properties', closed({ a: text }, { required: undefined })],
    ['an optional property inside', closed({ a: closed({ b: text }, { required: [] }) })],
    ['an open object in a list', closed({ a: { type: 'array', items: { type: 'object' } } })],
    ['an object that may be null', closed({ a: { type: ['object', 'null'] } })],
    ['an open object among definitions', closed({}, { $defs: { b: { properties: {} } } })],
    ['schemas that all hold', closed({ a: { allOf: [text] } })],
    ['a list of any schemas', closed({ a: { type: 'array', items: true } })],
    ['more levels than OpenAI reads', deep(99)],
  ])('that says more is not: %s', (_, schema) => {
    equal(isStrictSchema(schema), false);
  });
});

test('the form of an answer is strict if its schema allows it', () => {
  const base: Body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] };
  const { accepted } = bodyChecks(base, parseMessagesRequest);
  const strictOf = (schema: Schema) => {
    const format = { type: 'json_schema', schema };
    const { options } = accepted({ output_config: { format } }).inference;
    return options?.format?.type === 'json-schema' ? options.format.strict : 'none';
  };
  equal(strictOf(closed({ a: text })), true);
  equal(strictOf(closed({ a: text }, { required: [] })), undefined);
});
