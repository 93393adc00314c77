import type { UsageFact } from '@sluice/usage-facts';

/** The amount that a batch counts against one lease. */
export interface LeasePayment {
  readonly replica: string;
  readonly epoch: bigint;
  readonly number: bigint;
  readonly amountNanoUsd: bigint;
}

/**
 * Sums facts per lease, with what is in suspense and the fee, in the order of the leases' key. What costs
 * nothing is paid by none. Leases of free requests pay one request.
 */
export function leasePayments(facts: readonly UsageFact[]): readonly LeasePayment[] {
  const payments: Payments = new Map();
  for (const fact of facts) {
    const paid = fact.costNanoUsd + fact.suspendedNanoUsd + fact.feeNanoUsd;
    for (const number of fact.leaseNumbers) pay(payments, fact, number, paid);
    for (const number of fact.feeLeaseNumbers) pay(payments, fact, number, fact.feeNanoUsd);
    pay(payments, fact, fact.allowanceLeaseNumber, fact.freeNanoUsd);
    for (const number of fact.freeRequestLeaseNumbers) pay(payments, fact, number, 1n);
  }
  return [...payments.values()].toSorted(byLease);
}

type Payments = Map<string, Omit<LeasePayment, 'amountNanoUsd'> & { amountNanoUsd: bigint }>;

function pay(payments: Payments, fact: UsageFact, number: bigint, amountNanoUsd: bigint): void {
  if (number <= 0n || amountNanoUsd <= 0n) return;
  const { replica, leaseEpoch: epoch } = fact;
  const key = `${replica}/${epoch}/${number}`;
  const payment = payments.get(key);
  if (payment) payment.amountNanoUsd += amountNanoUsd;
  else payments.set(key, { replica, epoch, number, amountNanoUsd });
}

function byLease(a: LeasePayment, b: LeasePayment): number {
  if (a.replica !== b.replica) return a.replica < b.replica ? -1 : 1;
  const difference = a.epoch === b.epoch ? a.number - b.number : a.epoch - b.epoch;
  return difference < 0n ? -1 : Number(difference > 0n);
}
