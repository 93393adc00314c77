import { equal, ok } from 'node:assert/strict';
import { parseExactJson } from '@sluice/inference';
import { describe, test } from 'vitest';
import { matchesSchema } from './matches-schema.ts';

const tree = {
  $ref: '#/definitions/node',
  definitions: {
    node: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        below: { type: 'array', items: { $ref: '#/definitions/node' } },
      },
      required: ['name'],
    },
  },
};

describe('a value', () => {
  test.each<[schema: unknown, yes: readonly unknown[], no: readonly unknown[]]>([
    [{}, [1, null, 'a', {}], []],
    [true, [1], []],
    [false, [], [1]],
    [{ type: ['string', 'null'] }, ['a', null], [1, {}]],
    [{ type: 'integer' }, [1, 2.0], [1.5, '1']],
    [{ type: 'number', exclusiveMinimum: 0, maximum: 1 }, [0.5, 1], [0, 2]],
    [{ type: 'string', minLength: 1, maxLength: 2 }, ['a', '👋👋'], ['', 'abc']],
    [{ enum: ['a', { b: [1] }] }, ['a', { b: [1] }], ['b', { b: [2] }, { b: [1], c: 1 }]],
    [{ const: null }, [null], [0, undefined]],
    // A schema keeps the numbers that JavaScript would round as their texts.
    [parseExactJson('{"const":12345678901234567890}'), [Number('12345678901234567890')], [1]],
    [parseExactJson('{"maximum":12345678901234567890}'), [1], [1e30]],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, ['a', 1], [1.5]],
    [{ oneOf: [{ minimum: 1 }, { maximum: 3 }] }, [0, 4], [2]],
    [{ allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2], [0, 4]],
    [{ not: { type: 'null' } }, [0], [null]],
    [{ if: { type: 'string' }, then: { minLength: 2 }, else: { minimum: 2 } }, ['ab', 2], ['a', 1]],
    [{ items: { type: 'string' }, minItems: 1 }, [['a']], [[], [1]]],
    [{ items: [{ type: 'string' }], additionalItems: false }, [['a'], []], [[1], ['a', 'b']]],
    [{ prefixItems: [{ type: 'string' }], items: { type: 'integer' } }, [['a', 1]], [['a', 'b']]],
    [
      { properties: { a: { type: 'string' } }, additionalProperties: { type: 'integer' } },
      [{ a: 'x', b: 1 }],
      [{ a: 1 }, { b: 'x' }],
    ],
    [{ required: ['toString'] }, [{ toString: 1 }], [{}]],
    [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
    [tree, [{ name: 'a', below: [{ name: 'b' }] }], [{ name: 'a', below: [{}] }]],
  ])('is held against %j', (schema, yes, no) => {
    for (const value of yes) equal(matchesSchema(schema, value), true, JSON.stringify(value));
    for (const value of no) equal(matchesSchema(schema, value), false, JSON.stringify(value));
  });

  test('is not held against an expression: a stranger’s may take for ever', () => {
    const schema = { type: 'string', pattern: '^(a+)+$', format: 'email' };
    equal(matchesSchema(schema, `${'a'.repeat(40)}!`), true);
    const named = { patternProperties: { '^(a+)+$': false }, additionalProperties: false };
    equal(matchesSchema(named, { [`${'a'.repeat(40)}!`]: 1 }), true);
  });
});

describe('a schema counts as none', () => {
  test.each<[string, unknown]>([
    ['that is none', 'text'],
    ['of an unknown type', { type: 'colour' }],
    ['whose lists are none', { anyOf: {} }],
    ['whose bounds are none', { minimum: 'one' }],
    ['that points elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['that points to nothing', { $ref: '#/definitions/none' }],
    ['that points to the prototype', { $ref: '#/constructor' }],
    ['that points to itself', { $ref: '#' }],
  ])('%s', (_what, schema) => equal(matchesSchema(schema, 1), undefined));

  test('that takes too long, and that is said soon', () => {
    const twice = (name: string) => ({
      allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }],
    });
    const names = Array.from({ length: 30 }, (_, index) => `d${index}`);
    const $defs = Object.fromEntries(
      names.map((name, index) => [name, index === 29 ? {} : twice(`d${index + 1}`)]),
    );
    const startedMs = performance.now();
    equal(matchesSchema({ $defs, ...twice('d0') }, 1), undefined);
    equal(
      matchesSchema(
        { enum: [Array.from({ length: 9_000 }, () => 1)] },
        Array.from({ length: 9_000 }, () => 1),
      ),
      undefined,
    );
    ok(performance.now() - startedMs < 10_000);
  });
});
