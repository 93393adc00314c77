import { equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { discountNanoUsd } from './data-discount.ts';
import { aByokFact, aDiscountedFact, aFact } from './testing/a-fact.ts';
import { usageProblem } from './usage-problem.ts';

test('a discount is rounded up', () => {
  equal(discountNanoUsd(0n, 100n), 0n);
  equal(discountNanoUsd(1n, 100n), 1n);
  equal(discountNanoUsd(100n, 100n), 1n);
  equal(discountNanoUsd(101n, 100n), 2n);
});

describe('a fact with a data discount', () => {
  test('may be counted', () => {
    equal(usageProblem(aDiscountedFact()), undefined);
    const nothing = { costNanoUsd: 0n, upstreamCostNanoUsd: undefined, dataDiscountNanoUsd: 0n };
    equal(usageProblem(aDiscountedFact(nothing)), undefined);
  });

  const rate = { dataDiscountBasisPoints: 100n };
  test.each([
    ['without its rate', aFact({ dataDiscountNanoUsd: 10n }), /without its rate/],
    ['whose amount is missing', aFact(rate), /without its rate/],
    ['with an own credential', aByokFact({ ...rate, dataDiscountNanoUsd: 10n }), /own credential/],
    ['of another amount', aDiscountedFact({ dataDiscountNanoUsd: 9n }), /not what its rate/],
    ['of a negative amount', aDiscountedFact({ dataDiscountNanoUsd: -1n }), /negative or absurd/],
    ['of an absurd rate', aDiscountedFact({ dataDiscountBasisPoints: 10_001n }), /absurd/],
  ])('is not counted %s', (_what, fact, problem) => match(String(usageProblem(fact)), problem));
});
