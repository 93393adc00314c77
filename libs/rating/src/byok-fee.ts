const basisPoints = 10_000n;

/** The fee on a part of the list price, rounded up as costs are: never above the same of a larger part. */
export function feeNanoUsd(listNanoUsd: bigint, feeBasisPoints: number): bigint {
  return (listNanoUsd * BigInt(feeBasisPoints) + basisPoints - 1n) / basisPoints;
}
