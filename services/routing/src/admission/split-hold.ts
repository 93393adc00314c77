import { amountAt, type Amounts } from '@sluice/spend';
import type { UsageFact } from '@sluice/usage-facts';
import type { IntentByok } from '../byok/byok-record.ts';
import { type Called, takesFreeRequest } from './free-requests.ts';
import type { HeldWorst } from './hold-worst.ts';

/** The part of a hold that one attempt may cost, and the leases that pay for it. */
interface Terms {
  readonly holdNanoUsd: bigint;
  readonly leaseNumbers: readonly bigint[];
  readonly freeRequestLeaseNumbers: readonly bigint[];
  /** If undefined, the attempt uses the credential of the platform. */
  readonly byok: IntentByok | undefined;
}

/** Returns the terms of an attempt: with a credential of the account or of the platform. */
export function termsOf(held: HeldWorst, { model, credential }: Called): Terms {
  const { sharedNanoUsd, allowanceLeaseNumber, listLeaseNumbers, feeLeaseNumbers } = held;
  if (credential === undefined) {
    const isLimited = takesFreeRequest({ model });
    const { moneyLeaseNumbers: leaseNumbers } = held;
    return {
      freeRequestLeaseNumbers: isLimited ? held.freeRequestLeaseNumbers : [],
      holdNanoUsd: sharedNanoUsd,
      leaseNumbers: leaseNumbers.includes(allowanceLeaseNumber)
        ? leaseNumbers.filter((number) => number !== allowanceLeaseNumber)
        : leaseNumbers,
      byok: undefined,
    };
  }
  return {
    freeRequestLeaseNumbers: [],
    holdNanoUsd: held.listNanoUsd ?? 0n,
    leaseNumbers: listLeaseNumbers,
    byok: {
      credentialId: credential.id,
      freeHeldNanoUsd: held.freeNanoUsd,
      feeBasisPoints: held.feeBasisPoints,
      feeLeaseNumbers,
      allowanceLeaseNumber,
    },
  };
}

type Charged = Pick<
  UsageFact,
  | 'isByok'
  | 'costNanoUsd'
  | 'suspendedNanoUsd'
  | 'feeNanoUsd'
  | 'freeNanoUsd'
  | 'freeRequestLeaseNumbers'
>;

/** Returns the cost that each lease of a hold pays for a fact, in their order. */
export function costsOf(held: HeldWorst, fact: Charged): Amounts {
  const money = moneyCostsOf(held, fact);
  const { freeRequestLeaseNumbers, moneyLeaseNumbers } = held;
  if (freeRequestLeaseNumbers.length === 0) return money;
  const requests = fact.freeRequestLeaseNumbers.length > 0 ? 1n : 0n;
  return [
    ...freeRequestLeaseNumbers.map(() => requests),
    ...moneyLeaseNumbers.map((_number, index) => amountAt(money, index)),
  ];
}

function moneyCostsOf(held: HeldWorst, fact: Charged): Amounts {
  const { costNanoUsd, suspendedNanoUsd, feeNanoUsd, freeNanoUsd, isByok } = fact;
  const taken = costNanoUsd + suspendedNanoUsd;
  if (held.listNanoUsd === undefined) return taken;
  const fees = new Set(held.feeLeaseNumbers);
  return held.moneyLeaseNumbers.map((number) => {
    if (number === held.allowanceLeaseNumber) return freeNanoUsd;
    if (!isByok) return taken;
    return fees.has(number) ? feeNanoUsd : taken + feeNanoUsd;
  });
}
