import { discountNanoUsd } from './data-discount.ts';

/**
 * Returns what a cost is less because of a cache of the provider: the price of the same tokens without a cache follows
 * the same rules, so it is at most what may be charged, and a data discount is taken off. Negative: the cache made the
 * request dearer. Undefined: it made no difference.
 */
export function cacheDiscountNanoUsd(
  costNanoUsd: bigint,
  {
    uncachedNanoUsd,
    chargeableNanoUsd,
    dataDiscountBasisPoints,
  }: {
    /** The price without a cache. Undefined: no cache was used. */
    readonly uncachedNanoUsd: bigint | undefined;
    /** The most that may be charged. Undefined: any amount. */
    readonly chargeableNanoUsd: bigint | undefined;
    readonly dataDiscountBasisPoints: bigint | undefined;
  },
): bigint | undefined {
  if (uncachedNanoUsd === undefined) return undefined;
  const isCut = chargeableNanoUsd !== undefined && uncachedNanoUsd > chargeableNanoUsd;
  const charged = isCut ? chargeableNanoUsd : uncachedNanoUsd;
  const off =
    dataDiscountBasisPoints === undefined ? 0n : discountNanoUsd(charged, dataDiscountBasisPoints);
  const saved = charged - off - costNanoUsd;
  return saved === 0n ? undefined : saved;
}
