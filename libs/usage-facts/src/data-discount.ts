import type { UsageFact } from './usage-fact.ts';

/** The discount of a fact for contents that the operator may use. Both are absent if there is none. */
export type DataDiscount = Pick<UsageFact, 'dataDiscountNanoUsd' | 'dataDiscountBasisPoints'>;

const wholeBasisPoints = 10_000n;

/**
 * Returns the part of an amount that a discount takes off, in nano-USD. A fraction of a nano-USD is rounded up, so it
 * favors the customer. The rest is never negative, and never more than that of a larger amount.
 */
export function discountNanoUsd(amountNanoUsd: bigint, basisPoints: bigint): bigint {
  return (amountNanoUsd * basisPoints + wholeBasisPoints - 1n) / wholeBasisPoints;
}

/** Returns the cost before the discount. */
export function undiscountedNanoUsd({
  costNanoUsd,
  dataDiscountNanoUsd = 0n,
}: Pick<UsageFact, 'costNanoUsd' | 'dataDiscountNanoUsd'>): bigint {
  return costNanoUsd + dataDiscountNanoUsd;
}

/** Returns why the discount cannot be true. Undefined: it can be. */
export function discountProblem(
  fact: DataDiscount & Pick<UsageFact, 'costNanoUsd' | 'isByok'>,
): string | undefined {
  const { dataDiscountNanoUsd: discount, dataDiscountBasisPoints: rate, isByok } = fact;
  if (discount === undefined && rate === undefined) return undefined;
  if (discount === undefined || rate === undefined) return 'a data discount without its rate';
  if (isByok) return 'a data discount on the list price of an own credential';
  if (rate < 0n || rate > wholeBasisPoints || discount < 0n)
    return 'the data discount is negative or absurd';
  if (discount !== discountNanoUsd(undiscountedNanoUsd(fact), rate))
    return 'the data discount is not what its rate takes off';
  return undefined;
}
