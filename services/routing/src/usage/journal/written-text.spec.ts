import { equal } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { writtenText } from './written-text.ts';

test('a text is written as JSON writes it, the first time and later, however long it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(1, 200), (piece, times) => {
      const text = piece.repeat(times);
      const twice = JSON.stringify([writtenText(text), writtenText(text)]);
      equal(twice, JSON.stringify([text, text]));
    }),
  );
});

test('more texts than are kept are written all the same', () => {
  for (let count = 0; count < 2_500; count += 1)
    equal(JSON.stringify([writtenText(`"${count}`)]), `["\\"${count}"]`);
});
