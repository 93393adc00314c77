import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { schemaCheck } from './schema-check.ts';

describe('a check by a schema', () => {
  test('leaves the schema as it is', () => {
    const schema = { type: 'object', $defs: { a: { type: 'string' } } };
    const before = JSON.stringify(schema);
    schemaCheck(schema)({});
    equal(JSON.stringify(schema), before);
    equal(schemaCheck(Object.freeze(schema))([]), false);
  });

  test.each([
    ['of 2020-12 without a word of it', { items: { type: 'integer' } }, [1], ['a']],
    [
      'of draft 7',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { a: { type: 'null' } },
        $ref: '#/definitions/a',
      },
      null,
      0,
    ],
    [
      'of draft 4, whose `exclusiveMinimum` is a flag',
      { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true },
      2,
      1,
    ],
    ['with a list of items of older drafts', { items: [{ type: 'integer' }] }, [1, 'a'], ['a']],
  ])('knows a schema %s', (_name, schema, right, wrong) => {
    const isWanted = schemaCheck(schema);
    equal(isWanted(right), true);
    equal(isWanted(wrong), false);
  });
});
