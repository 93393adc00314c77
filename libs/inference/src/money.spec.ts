import { equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import {
  costNanoUsd,
  holdNanoUsd,
  nanoUsdToDecimal,
  nanoUsdToNumber,
  parsePriceAttoUsd,
  type Prices,
} from './index.ts';

const price = (decimal: string) => {
  const atto = parsePriceAttoUsd(decimal);
  ok(atto !== undefined, decimal);
  return atto;
};
const prices = (input: string, cached: string, output: string, request = '0'): Prices => ({
  inputTokenAttoUsd: price(input),
  cachedTokenAttoUsd: price(cached),
  outputTokenAttoUsd: price(output),
  requestAttoUsd: price(request),
});
const usage = (inputTokens: number, cachedTokens: number, outputTokens: number) => ({
  inputTokens,
  cachedTokens,
  outputTokens,
  reasoningTokens: 0,
});

describe('a price', () => {
  test('is read exactly from its decimal text', () => {
    equal(price('0.00000015'), 150_000_000_000n);
    equal(price('12'), 12n * 10n ** 18n);
    equal(price('0.000000000000000001'), 1n);
  });

  test('is refused when it is no plain decimal', () => {
    for (const text of ['', '-1', '1e-7', '.5', '1.', ' 1', '0x1', '1,5', '0.0000000000000000001'])
      equal(parsePriceAttoUsd(text), undefined, text);
  });
});

describe('a cost', () => {
  test('takes cached tokens out of the input', () => {
    equal(
      costNanoUsd(usage(1000, 400, 10), prices('0.000001', '0.0000001', '0.000002')),
      600_000n + 40_000n + 20_000n,
    );
  });

  test('is rounded half up, once, over the whole sum', () => {
    const half = prices('0.0000000005', '0', '0.0000000005');
    equal(costNanoUsd(usage(1, 0, 0), half), 1n);
    equal(costNanoUsd(usage(1, 0, 1), half), 1n);
    equal(costNanoUsd(usage(2, 0, 1), half), 2n);
    equal(costNanoUsd(usage(4, 0, 0), prices('0.0000000001', '0', '0')), 0n);
  });

  test('never exceeds the hold for at least as many tokens', () => {
    const atto = fc.bigInt({ min: 0n, max: 10n ** 16n });
    const count = fc.nat({ max: 1_000_000 });
    fc.assert(
      fc.property(atto, atto, atto, atto, count, count, count, count, (a, b, c, d, ...counts) => {
        const some: Prices = {
          inputTokenAttoUsd: a,
          cachedTokenAttoUsd: b,
          outputTokenAttoUsd: c,
          requestAttoUsd: d,
        };
        const [input, cached, output, more] = counts;
        const used = usage(input, Math.min(cached, input), output);
        ok(costNanoUsd(used, some) <= holdNanoUsd(input + more, output + more, some));
      }),
    );
  });
});

test('an amount leaves as a JSON number of USD', () => {
  equal(nanoUsdToNumber(1n), 1e-9);
  equal(nanoUsdToNumber(1_500_000_000n), 1.5);
});

test('an amount is written with every digit and no zero at its end', () => {
  const written = [0n, 1n, 250_000_000n, 1_000_000_000n, 100_500_000_000n].map(nanoUsdToDecimal);
  equal(written.join(' '), '0 0.000000001 0.25 1 100.5');
});
