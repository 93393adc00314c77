/** The amounts of a row, in nano-USD. */
interface Paid {
  readonly usageId: string;
  readonly outcome: string;
  readonly costNanoUsd: bigint;
  readonly suspendedNanoUsd: bigint;
  readonly upstreamCostNanoUsd?: bigint | undefined;
}

/** Returns the amount that the provider charges, whoever pays for it. */
export const upstreamOf = ({ upstreamCostNanoUsd, costNanoUsd }: Paid) =>
  upstreamCostNanoUsd ?? costNanoUsd;

/** Why a customer pays the wrong amount; undefined: who was served pays all of it, and who was not pays nothing. */
export function customerProblem(row: Paid): string | undefined {
  const { usageId, outcome, costNanoUsd, suspendedNanoUsd } = row;
  if (outcome === 'failed' && costNanoUsd + suspendedNanoUsd > 0n)
    return `${usageId} failed and costs its customer ${costNanoUsd}`;
  const isServed = outcome === 'completed' || outcome === 'incomplete';
  return isServed && costNanoUsd !== upstreamOf(row)
    ? `${usageId} was served and costs its customer ${costNanoUsd} of ${upstreamOf(row)}`
    : undefined;
}
