import { feeNanoUsd } from '@sluice/rating';
import type { UsageFact } from '@sluice/usage-facts';
import type { IntentByok } from './byok-record.ts';

/** The charge for an own credential of the account, in a usage fact. */
export type ByokCharge = Pick<
  UsageFact,
  | 'isByok'
  | 'credentialId'
  | 'feeNanoUsd'
  | 'freeNanoUsd'
  | 'feeLeaseNumbers'
  | 'allowanceLeaseNumber'
>;

/**
 * Returns the charge of an attempt with the account's own credential. The part of the list price that the allowance
 * held room for is free. The rest costs the fee. Only the intent decides, so every reader of it comes to the same
 * result. undefined: the platform's own credential.
 */
export function byokChargeOf(byok: IntentByok | undefined, listNanoUsd: bigint): ByokCharge {
  if (!byok) return none;
  const { freeHeldNanoUsd, feeBasisPoints, feeLeaseNumbers, ...named } = byok;
  const freeNanoUsd = listNanoUsd < freeHeldNanoUsd ? listNanoUsd : freeHeldNanoUsd;
  return {
    ...named,
    isByok: true,
    feeNanoUsd: feeNanoUsd(listNanoUsd - freeNanoUsd, feeBasisPoints),
    freeNanoUsd,
    feeLeaseNumbers: [...feeLeaseNumbers],
  };
}

const none: ByokCharge = {
  isByok: false,
  credentialId: '',
  feeNanoUsd: 0n,
  freeNanoUsd: 0n,
  feeLeaseNumbers: [],
  allowanceLeaseNumber: 0n,
};
