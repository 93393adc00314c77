/** The result of an audit. */
export interface Verdict {
  readonly lost: number;
  /** Charged calls that a power cut lost before anything of their answer had left. Only `overlap` may have any. */
  readonly unknown: number;
  readonly double: number;
  readonly overspendNanoUsd: bigint;
  readonly billedNanoUsd: bigint;
  readonly receiptNanoUsd: bigint;
  /** The receipts that a crash cut off. */
  readonly interrupted: number;
  readonly findings: readonly string[];
}
