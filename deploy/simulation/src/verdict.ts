/** What an audit comes to. */
export interface Verdict {
  readonly lost: number;
  readonly double: number;
  readonly overspendNanoUsd: bigint;
  readonly billedNanoUsd: bigint;
  readonly receiptNanoUsd: bigint;
  /** Of the receipts, those that a crash cut off. */
  readonly interrupted: number;
  readonly findings: readonly string[];
}
