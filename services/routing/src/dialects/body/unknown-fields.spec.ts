import { equal, ok } from 'node:assert/strict';
import { responsesBody } from '@sluice/client-schemas';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { unknownFieldsWarning } from './unknown-fields.ts';

const known: ReadonlySet<string> = new Set(Object.keys(responsesBody.properties));

const warned = (...names: readonly string[]) =>
  unknownFieldsWarning(Object.fromEntries(names.map((name) => [name, 1])), known);

describe('a field that has no effect', () => {
  test.each([
    ['max_ouput_tokens', 'max_output_tokens'],
    ['max_output_token', 'max_output_tokens'],
    ['maxoutput_tokens', 'max_output_tokens'],
    ['temprature', 'temperature'],
    ['tempreature', 'temperature'],
    ['instruction', 'instructions'],
    ['tool', 'tools'],
    ['streem', 'stream'],
    ['resoning', 'reasoning'],
  ])('is named, with the one that may be meant: %s', (name, meant) => {
    equal(warned('model', name), `unknown field ${name} (did you mean ${meant}?)`);
  });

  test.each(['stream_options', 'seed', 'x', 'messages', 'max_tokens', 'response_format'])(
    'is named alone where none is near: %s',
    (name) => equal(warned(name), `unknown field ${name}`),
  );

  test('is not one that the request has a use for', () => {
    ok(known.size > 30, 'the fields are found');
    equal(warned(...known), undefined);
    equal(warned(), undefined);
  });

  test('is named for the first ten, followed by the number of others', () => {
    const warning = warned(...Array.from({ length: 13 }, (_, index) => `unheard-${String(index)}`));
    ok(warning?.endsWith('unknown field unheard-9 and 3 more'), warning);
  });

  test('makes a short text that can stand in a header, whatever it is called', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 30 }),
        (names) => {
          const warning = warned(...names) ?? '';
          ok(/^[\x20-\x7e]*$/.test(warning) && warning.length < 1_500, warning);
        },
      ),
    );
  });
});
