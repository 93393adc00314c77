import { equal, ok } from 'node:assert/strict';
import type { InputItem } from '@sluice/inference';
import fc from 'fast-check';
import { test } from 'vitest';
import { searchUnits, searchUnitsMax } from './search-units.ts';

const message = (text: string): InputItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'text', text }],
});
const request = (...texts: readonly string[]) => ({
  items: texts.map(message),
  ranking: { topN: undefined },
});
/** A token is a character. */
const units = (...texts: readonly string[]) =>
  searchUnits(request(...texts), ({ length }) => length);
const copies = (count: number, text: string) => Array.from({ length: count }, () => text);

test('a unit is a hundred documents', () => {
  equal(units('q', ...copies(100, 'd')), 1);
  equal(units('q', ...copies(101, 'd')), 2);
});

test('a document of more than 500 tokens together with the query is more than one', () => {
  equal(units('q', ...copies(50, 'd'.repeat(499))), 1);
  equal(units('q', ...copies(51, 'd'.repeat(500))), 2);
  equal(units('q'.repeat(400), ...copies(100, 'd'.repeat(250))), 1);
});

test('a request that ranks nothing has none', () => {
  equal(
    searchUnits({ items: [message('q'), message('d')] }, ({ length }) => length),
    0,
  );
});

test('the most that may be billed is at least what any tokenizer gives', () => {
  const texts = fc.array(fc.string({ maxLength: 2_000, unit: 'grapheme' }), { minLength: 2 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 8 }), (all, bytesPerToken) => {
      const asked = request(...all);
      const counted = searchUnits(asked, (text) =>
        Math.floor(Buffer.byteLength(text) / bytesPerToken),
      );
      ok(counted <= searchUnitsMax(asked));
    }),
  );
});
