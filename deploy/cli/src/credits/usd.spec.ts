import { equal } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { formatUsd, parseUsd } from './usd.ts';

describe('an amount of USD', () => {
  test.each([
    ['5', 5_000_000_000n],
    ['0.1', 100_000_000n],
    ['0.000000001', 1n],
    ['010.50', 10_500_000_000n],
    ['999999999.999999999', 999_999_999_999_999_999n],
  ])('%s is %s nano-USD', (text, nanoUsd) => equal(parseUsd(text), nanoUsd));

  test.each(['', '-1', '+1', '1.', '.5', '1e3', '1,000', '$5', ' 5', '0x5', '0.0000000001', '1_0'])(
    'cannot be %j',
    (text) => equal(parseUsd(text), undefined),
  );

  test.each([
    [0n, '0.00 USD'],
    [1n, '0.000000001 USD'],
    [1_234_500_000_000n, '1,234.50 USD'],
    [-1_230_000_000n, '-1.23 USD'],
  ])('%s is shown as %s', (nanoUsd, text) => equal(formatUsd(nanoUsd), text));

  test('that is shown is the one that was meant', () =>
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 18n - 1n), (nanoUsd) => {
        const shown = formatUsd(nanoUsd).replaceAll(',', '').replace(' USD', '');
        equal(parseUsd(shown), nanoUsd);
      }),
    ));
});
