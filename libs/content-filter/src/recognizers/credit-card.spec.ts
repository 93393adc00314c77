import { deepEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { creditCard } from './credit-card.ts';

const found = (text: string) =>
  creditCard.find(text).map(({ start, end }) => text.slice(start, end));

const cards = ['4111111111111111', '378282246310005', '5555555555554444', '6011111111111117'];
const digitsApart = (digits: string, sizes: readonly number[], sign: string) => {
  const groups: string[] = [];
  let at = 0;
  for (const size of sizes) {
    groups.push(digits.slice(at, at + size));
    at += size;
  }
  return groups.join(sign);
};

describe('a card', () => {
  test('is found behind any word, sign or number, in one piece or in groups', () => {
    const before = fc.oneof(
      fc.constantFrom(
        'order',
        'Invoice',
        '#',
        'ref.',
        'tracking no',
        'IMEI',
        'id=',
        '§',
        '17',
        '1-',
      ),
      fc.string({ unit: fc.constantFrom(...'a b c z ä ß § # № : = . , ; " ( /'.split(' '), ' ') }),
    );
    const written = fc.constantFrom(...cards).chain((digits) => {
      const sizes = digits.startsWith('37') ? [4, 6, 5] : [4, 4, 4, 4];
      return fc
        .constantFrom('', ' ', '-', '.', '/', '_', '  ', ' - ', '\n')
        .map((sign) => digitsApart(digits, sizes, sign));
    });
    fc.assert(
      fc.property(before, fc.constantFrom(' ', ': ', ' is ', '#'), written, (word, gap, card) => {
        deepEqual(found(`${word}${gap}${card}, thanks`), [card]);
      }),
    );
  });

  test.each([
    ['card4111111111111111', '4111111111111111'],
    ['3 4111 1111 1111 1111 12/27', '4111 1111 1111 1111'],
    ['4111 1111 1111 1111 123', '4111 1111 1111 1111'],
    ['in 2024 4111 1111 1111 1111', '4111 1111 1111 1111'],
    ['4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1', '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'],
    ['4111111111111111exp', '4111111111111111'],
  ])('stands in %s', (text, card) => deepEqual(found(text), [card]));

  test.each([
    'order 4111111111111112',
    '0.4111111111111111',
    'DE44 4111 1111 1111 1111',
    'USPS 9411 4111 1111 1111 1111 22',
    '4000 4111 1111 1111 1111 4000 4000',
    'a4b4111111111111111',
    '41111111111111110000',
    '4444444444444444',
  ])('is not %s', (text) => deepEqual(found(text), []));
});
