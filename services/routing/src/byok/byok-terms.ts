import type { Budget } from '@sluice/spend';

/** On what terms accounts use provider credentials of their own. */
export interface ByokTerms {
  /** The list price without a fee, per account and UTC month. */
  readonly allowanceNanoUsd: bigint;
  /** Hundredths of a per cent of the list price beyond it. */
  readonly feeBasisPoints: number;
}

/** 25,000 USD, and 5 % of what is beyond. */
export const usualByokTerms: ByokTerms = {
  allowanceNanoUsd: 25_000_000_000_000n,
  feeBasisPoints: 500,
};

/** Returns the free allowance as a budget: it covers what it has room for and refuses no request. */
export function allowanceOf(accountId: string, { allowanceNanoUsd }: ByokTerms): Budget {
  return {
    accountId,
    scopeKind: 'allowance',
    scopeId: accountId,
    interval: 'monthly',
    limitNanoUsd: allowanceNanoUsd,
    includeByok: true,
  };
}
