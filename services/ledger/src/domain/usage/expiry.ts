import type { UsageFact } from '@sluice/usage-facts';

/** The end of a customer's suspense. The charge stays, and a correction may still come. */
export interface Expiry {
  /** One per estimate. */
  readonly expiryId: string;
  /** The estimate as it was until then. */
  readonly fact: UsageFact;
  /** The amount that no limit of the customer counts any longer. */
  readonly expiredNanoUsd: bigint;
  /** The part that the provider may charge the operator. With a credential of the account there is none. */
  readonly movedNanoUsd: bigint;
}

export function expiryOf(fact: UsageFact): Expiry {
  const { usageId, suspendedNanoUsd, isByok } = fact;
  return {
    expiryId: `${usageId}/expiry`,
    fact,
    expiredNanoUsd: suspendedNanoUsd,
    movedNanoUsd: isByok ? 0n : suspendedNanoUsd,
  };
}

/** Returns the estimate after the expiry: a later correction charges the customer no more than it is charged now. */
export function expiredFact({ fact, movedNanoUsd }: Expiry): UsageFact {
  return {
    ...fact,
    suspendedNanoUsd: 0n,
    operatorSuspendedNanoUsd: fact.operatorSuspendedNanoUsd + movedNanoUsd,
  };
}
