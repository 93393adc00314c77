import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { fieldRows } from '../pages/field-rows.ts';
import { parseDeclarations } from './declarations.ts';
import { mismatch, Shapes } from './shapes.ts';

const shapeOf = (source: string) =>
  new Shapes(parseDeclarations(source, 'a.ts'), 'a.ts').named('A');
const rowsOf = (source: string) => {
  const shape = shapeOf(source);
  return shape.kind === 'object' ? fieldRows(shape.fields) : [];
};
const refused = (source: string, message: RegExp) => throws(() => shapeOf(source), message);

describe('the shape of a declared type', () => {
  test('has what its parameters stand for', () => {
    deepEqual(
      rowsOf(`
        interface Change<T extends string, D extends object = object> {
          readonly type: T;
          readonly data: D & { readonly at: string };
        }
        type A = Change<'Renamed', { readonly name: string }>;`),
      [
        ['`type`', "`'Renamed'`", ''],
        ['`data`', '`object`', ''],
        ['`data.name`', '`string`', ''],
        ['`data.at`', '`string`', ''],
      ],
    );
    deepEqual(rowsOf(`type B<D = object> = D & { readonly at: string }; type A = B;`), [
      ['`at`', '`string`', ''],
    ]);
  });

  test('has what declared types say of themselves, beside what the field says', () => {
    deepEqual(
      rowsOf(`
        /** When it starts anew */
        type Reset = 'daily' | 'weekly';
        /** One of several. */
        interface Part { readonly id: string }
        interface A {
          /** Of a limit. */
          readonly reset: Reset | null;
          readonly parts?: readonly Part[];
        }`),
      [
        ['`reset`', "`'daily' | 'weekly' | null`", 'Of a limit. When it starts anew.'],
        ['`parts`', '`object[] (or absent)`', 'One of several.'],
        ['`parts[].id`', '`string`', ''],
      ],
    );
  });

  test('shows a list that may be missing like one that may not', () => {
    deepEqual(
      rowsOf('type A = { readonly ids: readonly number[] | null };').map(([name, type]) => [
        name,
        type,
      ]),
      [['`ids`', '`number[] | null`']],
    );
  });

  test('is refused where a name, a parameter or a field makes no sense', () => {
    refused('type A = B;', /a\.ts: B is not declared in this file/);
    refused('type B<T> = T; type A = B;', /B takes more types/);
    refused('type B = string; type A = B<string>;', /B takes fewer types/);
    refused('type A = { readonly b: A };', /a type that contains itself/);
    refused('type A = string & { readonly b: string };', /something else than objects/);
    refused(
      'type A = { readonly b: string } & { readonly b: number };',
      /the field b is there twice/,
    );
    throws(
      () => rowsOf('type A = { readonly b: { readonly c: string } | { readonly d: string } };'),
      /b: a choice between objects or lists has no table yet/,
    );
  });
});

describe('a value', () => {
  const shape = shapeOf(`
    interface A {
      readonly kind: 'x' | 'y';
      readonly amount: string | null;
      readonly parts: readonly { readonly size: number }[];
      readonly note?: string;
    }`);
  const sound = { kind: 'x', amount: null, parts: [{ size: 1 }] };

  test('fits its shape', () => {
    equal(mismatch(shape, sound), undefined);
    equal(mismatch(shape, { ...sound, amount: '1', note: '', parts: [] }), undefined);
  });

  test('does not fit when anything is missing, more, or of another type', () => {
    equal(mismatch(shape, null), 'data is no object');
    equal(mismatch(shape, { kind: 'x', amount: null }), 'data.parts is missing');
    equal(mismatch(shape, { ...sound, more: 1 }), 'data.more is not declared');
    equal(mismatch(shape, { ...sound, kind: 'z' }), "data.kind is not 'x' | 'y'");
    equal(mismatch(shape, { ...sound, amount: 1 }), 'data.amount is not string | null');
    equal(mismatch(shape, { ...sound, parts: [{ size: '1' }] }), 'data.parts[0].size is no number');
    equal(mismatch(shape, { ...sound, note: null }), 'data.note is no string');
  });
});
