import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { Check } from 'typebox/schema';
import { describe, test } from 'vitest';
import { damages, damaged } from './testing/damages.ts';
import { healJson } from './heal-json.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    address: { $ref: '#/$defs/address' },
    isActive: { type: ['boolean', 'null'] },
  },
  required: ['name', 'tags', 'address'],
  additionalProperties: false,
  $defs: {
    address: {
      type: 'object',
      properties: { city: { type: 'string' }, zip: { type: 'string', pattern: '^[0-9]{5}$' } },
      required: ['city'],
    },
  },
};
const person = {
  name: 'Ada Lovelace',
  age: 36,
  tags: ['math', 'poetry'],
  address: { city: 'London', zip: '12345' },
  isActive: true,
};

describe('text that is JSON', () => {
  test('stays as it is, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        equal(healJson(JSON.stringify(value, undefined, indent), {}), undefined);
        equal(healJson(`\n ${JSON.stringify(value)}\n`, { schema }), undefined);
      }),
    );
  });
});

describe('damaged JSON', () => {
  const kinds = damages.flatMap((one, index) =>
    [undefined, ...damages.slice(index + 1)].map((other) => ({ one, other })),
  );

  test('is of at least 200 kinds here', () => ok(kinds.length >= 200, String(kinds.length)));

  test.each(kinds)('$one.name, $other.name', ({ one, other }) => {
    fc.assert(
      fc.property(
        fc.record({
          name: fc.string(),
          age: fc.integer(),
          tags: fc.array(fc.string(), { maxLength: 4 }),
          address: fc.record({ city: fc.string() }),
          isActive: fc.option(fc.boolean()),
        }),
        (value) => {
          const text = damaged(value, other ? [one, other] : [one]);
          const healed = healJson(text, { schema });
          if (healed !== undefined) ok(Check(schema, JSON.parse(healed)), healed);
        },
      ),
      { numRuns: 10 },
    );
  });

  test.each(damages)('of the kind "$name" is repaired to what was meant', (damage) => {
    const text = damaged(person, [damage]);
    const healed = healJson(text, { schema });
    ok(healed !== undefined, text);
    deepEqual(JSON.parse(healed), person);
    deepEqual(JSON.parse(healJson(text, {}) ?? ''), person);
  });

  test('is repaired to what was meant in nearly all pairs of kinds', () => {
    const missed = kinds.filter(({ one, other }) => {
      const text = damaged(person, other ? [one, other] : [one]);
      const healed = healJson(text, { schema }) ?? text;
      try {
        deepEqual(JSON.parse(healed), person);
        return false;
      } catch {
        return true;
      }
    });
    const names = missed.map(({ one, other }) => `${one.name} and ${String(other?.name)}`);
    ok(names.length <= 0.1 * kinds.length, `${String(names.length)}: ${names.join('; ')}`);
  });

  test('is left as it was if the repaired value does not fit', () => {
    equal(healJson('{name: 7, tags: [], address: {city: "a"}}', { schema }), undefined);
    equal(
      healJson('{"name": "a", "tags": [], "address": {"city": "a", "zip": "x"},}', { schema }),
      undefined,
    );
    equal(healJson('[1, 2,]', {}), undefined);
  });

  test('keeps its numbers as they are written', () => {
    equal(healJson('{"a": 12345678901234567890.10,}', {}), '{"a": 12345678901234567890.10}');
  });
});

describe('text without JSON', () => {
  test.each([
    '',
    'I am sorry, I cannot do that.',
    'See [the docs](https://example.com) first.',
    'Use `x = {}` [maybe]?',
    '```\nno json\n```',
  ])('stays as it is: %s', (text) => {
    equal(healJson(text, { schema }), undefined);
  });

  test('is a number in a code block, if one is wanted', () => {
    equal(healJson('```json\n42\n```', { schema: { type: 'number' } }), '42');
  });
});

test('the JSON of a sentence is found behind a bracket of the text', () => {
  const text = `As noted [1], here you are: ${JSON.stringify(person)} Anything else?`;
  deepEqual(JSON.parse(healJson(text, { schema }) ?? ''), person);
});

test('any text comes to an end', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: 'binary' }), (text) => {
      const healed = healJson(text, {});
      if (healed !== undefined) equal(typeof JSON.parse(healed), 'object');
    }),
  );
  for (const part of ['{', '[', '"', '{"a":', '```', '\\', '}{', "'", '{[']) {
    const text = part.repeat(Math.floor(20_000 / part.length));
    const healed = healJson(text, { schema });
    equal(healed, undefined, part);
  }
});
