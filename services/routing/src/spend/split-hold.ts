import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import type { Amounts } from '@sluice/spend';
import type { Intent } from '../usage/record.ts';
import type { HeldWorst } from './hold-worst.ts';

/** What of a hold an attempt may cost, and which leases pay for it. */
export function termsOf(
  held: HeldWorst,
  credentialId: string | undefined,
): Required<Pick<Intent, 'holdNanoUsd' | 'leaseNumbers'>> & Pick<Intent, 'byok'> {
  const { hold, sharedNanoUsd, allowanceLeaseNumber, listLeaseNumbers, feeLeaseNumbers } = held;
  if (credentialId === undefined) {
    const { leaseNumbers } = hold;
    return {
      holdNanoUsd: sharedNanoUsd,
      leaseNumbers: leaseNumbers.includes(allowanceLeaseNumber)
        ? leaseNumbers.filter((number) => number !== allowanceLeaseNumber)
        : leaseNumbers,
      byok: undefined,
    };
  }
  return {
    holdNanoUsd: held.listNanoUsd ?? 0n,
    leaseNumbers: listLeaseNumbers,
    byok: {
      credentialId,
      freeHeldNanoUsd: held.freeNanoUsd,
      feeBasisPoints: held.feeBasisPoints,
      feeLeaseNumbers,
      allowanceLeaseNumber,
    },
  };
}

type Charged = Pick<
  UsageRecorded,
  'isByok' | 'costNanoUsd' | 'suspendedNanoUsd' | 'feeNanoUsd' | 'freeNanoUsd'
>;

/** What each lease of a hold pays for a fact, in their order. */
export function costsOf(held: HeldWorst, fact: Charged): Amounts {
  const { costNanoUsd, suspendedNanoUsd, feeNanoUsd, freeNanoUsd, isByok } = fact;
  const taken = costNanoUsd + suspendedNanoUsd;
  if (held.listNanoUsd === undefined) return taken;
  const fees = new Set(held.feeLeaseNumbers);
  return held.hold.leaseNumbers.map((number) => {
    if (number === held.allowanceLeaseNumber) return freeNanoUsd;
    if (!isByok) return taken;
    return fees.has(number) ? feeNanoUsd : taken + feeNanoUsd;
  });
}
