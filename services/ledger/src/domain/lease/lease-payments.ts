import type { UsageFact } from '../usage/usage-fact.ts';

/** What a batch counts against one lease. */
export interface LeasePayment {
  readonly replica: string;
  readonly epoch: bigint;
  readonly number: bigint;
  readonly amountNanoUsd: bigint;
}

/**
 * Sums facts per lease, with what is in suspense and the fee, in the order of the leases' key. What costs
 * nothing is paid by none.
 */
export function leasePayments(facts: readonly UsageFact[]): readonly LeasePayment[] {
  const payments = new Map<string, LeasePayment>();
  for (const fact of facts)
    for (const [number, paid] of paidBy(fact)) {
      const { replica, leaseEpoch: epoch } = fact;
      const key = `${replica}/${epoch}/${number}`;
      const amountNanoUsd = (payments.get(key)?.amountNanoUsd ?? 0n) + paid;
      payments.set(key, { replica, epoch, number, amountNanoUsd });
    }
  return [...payments.values()].toSorted(byLease);
}

function paidBy(fact: UsageFact): readonly (readonly [bigint, bigint])[] {
  const { leaseNumbers, feeLeaseNumbers, allowanceLeaseNumber, feeNanoUsd, freeNanoUsd } = fact;
  const paid = fact.costNanoUsd + fact.suspendedNanoUsd + feeNanoUsd;
  return [
    ...leaseNumbers.map((number) => [number, paid] as const),
    ...feeLeaseNumbers.map((number) => [number, feeNanoUsd] as const),
    [allowanceLeaseNumber, freeNanoUsd] as const,
  ].filter(([number, amount]) => number > 0n && amount > 0n);
}

function byLease(a: LeasePayment, b: LeasePayment): number {
  if (a.replica !== b.replica) return a.replica < b.replica ? -1 : 1;
  const difference = a.epoch === b.epoch ? a.number - b.number : a.epoch - b.epoch;
  return difference < 0n ? -1 : Number(difference > 0n);
}
