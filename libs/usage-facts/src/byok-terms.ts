import type { UsageFact } from './usage-fact.ts';

/** The fee of a request with the account's own provider credential. All of it is empty or 0 for any other request. */
export type ByokTerms = Pick<
  UsageFact,
  'credentialId' | 'feeNanoUsd' | 'freeNanoUsd' | 'feeLeaseNumbers' | 'allowanceLeaseNumber'
>;

type Fact = ByokTerms & Pick<UsageFact, 'isByok' | 'costNanoUsd' | 'leaseNumbers'>;

const credentialIdPattern = /^[A-Za-z0-9-]{0,64}$/;

/** Why the terms cannot be true; undefined when they can. */
export function byokProblem(fact: Fact): string | undefined {
  const { isByok, costNanoUsd, feeNanoUsd, freeNanoUsd, allowanceLeaseNumber } = fact;
  if (!credentialIdPattern.test(fact.credentialId)) return 'credential_id is malformed';
  if (feeNanoUsd < 0n || freeNanoUsd < 0n) return 'the fee or what is free is negative';
  if (freeNanoUsd > costNanoUsd) return 'more is free than it costs';
  // A fee is a part of what it is taken of.
  if (feeNanoUsd > costNanoUsd - freeNanoUsd) return 'the fee is above what it is taken of';
  const isSilent =
    fact.credentialId === '' &&
    feeNanoUsd === 0n &&
    freeNanoUsd === 0n &&
    fact.feeLeaseNumbers.length === 0 &&
    allowanceLeaseNumber === 0n;
  return isByok || isSilent ? undefined : 'a fee without a credential of the account';
}

/** All leases that paid anything of a fact. */
export function leaseNumbersOf(
  fact: Pick<Fact, 'leaseNumbers' | 'feeLeaseNumbers' | 'allowanceLeaseNumber'>,
): readonly bigint[] {
  const { leaseNumbers, feeLeaseNumbers, allowanceLeaseNumber: allowance } = fact;
  return [...leaseNumbers, ...feeLeaseNumbers, ...(allowance === 0n ? [] : [allowance])];
}

/** Returns what credits pay for a fact, and what the account's own credential paid. */
export function amountsOf({ isByok, costNanoUsd, feeNanoUsd }: Fact): {
  readonly creditsNanoUsd: bigint;
  readonly byokNanoUsd: bigint;
} {
  return isByok
    ? { creditsNanoUsd: feeNanoUsd, byokNanoUsd: costNanoUsd }
    : { creditsNanoUsd: costNanoUsd, byokNanoUsd: 0n };
}

/** The terms of a fact without an own credential. */
export const noByokTerms: ByokTerms = {
  credentialId: '',
  feeNanoUsd: 0n,
  freeNanoUsd: 0n,
  feeLeaseNumbers: [],
  allowanceLeaseNumber: 0n,
};
