import { equal } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { parseUsd } from './usd.ts';

describe('a limit in USD becomes nano-USD exactly', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['0.000000001', 1n],
    ['0.1', 100_000_000n],
    ['0.3', 300_000_000n],
    ['1.0000000000', 1_000_000_000n],
    ['123456789.123456789', 123_456_789_123_456_789n],
    ['1e2', 100_000_000_000n],
    ['1.5E-8', 15n],
    ['100e-11', 1n],
    ['1.1400000000000001', 1_140_000_000n],
    ['0.30000000000000004', 300_000_000n],
    ['0.7999999999999999', 800_000_000n],
    ['4.35e-7', 435n],
    ['0.000000043500000000000001', 44n],
    ['123456789.12345678912', 123_456_789_123_456_789n],
  ])('%s USD is %s nano-USD', (text, nanoUsd) => equal(parseUsd(text), nanoUsd));

  test.each([
    '0.0000000001',
    '1e-10',
    '1.2345678901',
    '1.23456789012345',
    '0.0000000001234567890123456',
    '-1.1400000000000001',
    '-1',
    '-0.5',
    '1e999',
    `1${'0'.repeat(80)}`,
    '',
    'NaN',
    '1.',
  ])('%s is refused', (text) => equal(parseUsd(text), undefined));

  test('the sum or product of amounts in doubles is what it is in whole nano-USD', () => {
    const cents = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(cents, cents, fc.integer({ min: 1, max: 50 }), (a, b, times) => {
        const inDoubles = (a / 100 + b / 100) * times;
        equal(parseUsd(JSON.stringify(inDoubles)), BigInt((a + b) * times) * 10_000_000n);
      }),
    );
  });

  test('every amount of whole nano-USD survives being written as a decimal', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 18n), (nanoUsd) => {
        const digits = nanoUsd.toString().padStart(10, '0');
        equal(parseUsd(`${digits.slice(0, -9)}.${digits.slice(-9)}`), nanoUsd);
      }),
    );
  });
});
