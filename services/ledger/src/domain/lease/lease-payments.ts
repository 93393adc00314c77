import type { UsageFact } from '../usage/usage-fact.ts';

/** What a batch counts against one lease. */
export interface LeasePayment {
  readonly replica: string;
  readonly epoch: bigint;
  readonly number: bigint;
  readonly amountNanoUsd: bigint;
}

/**
 * Sums facts per lease, with what is in suspense, in the order of the leases' key. What costs nothing is
 * paid by none.
 */
export function leasePayments(facts: readonly UsageFact[]): readonly LeasePayment[] {
  const payments = new Map<string, LeasePayment>();
  for (const { replica, leaseEpoch: epoch, leaseNumbers, ...fact } of facts) {
    const paid = fact.costNanoUsd + fact.suspendedNanoUsd;
    for (const number of paid > 0n ? leaseNumbers : []) {
      const key = `${replica}/${epoch}/${number}`;
      const amountNanoUsd = (payments.get(key)?.amountNanoUsd ?? 0n) + paid;
      payments.set(key, { replica, epoch, number, amountNanoUsd });
    }
  }
  return [...payments.values()].toSorted(byLease);
}

function byLease(a: LeasePayment, b: LeasePayment): number {
  if (a.replica !== b.replica) return a.replica < b.replica ? -1 : 1;
  const difference = a.epoch === b.epoch ? a.number - b.number : a.epoch - b.epoch;
  return difference < 0n ? -1 : Number(difference > 0n);
}
