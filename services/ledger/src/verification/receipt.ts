/** The provider's own record of an answer. */
export interface ProviderReceipt {
  /** The upstream id: what the provider calls the answer. */
  readonly id: string;
  readonly inputTokens: bigint;
  readonly outputTokens: bigint;
  /** If undefined, the receipt does not report them, and they are not compared. */
  readonly cachedTokens: bigint | undefined;
  /** Absent: it does not say. */
  readonly reasoningTokens?: bigint | undefined;
  /** Our id of the attempt, where the receipt names it. */
  readonly attemptId?: string;
  /** The amount that it asks for. If undefined, its tokens have a price. */
  readonly costNanoUsd?: bigint | undefined;
  /** It has no price. */
  readonly isFree?: boolean;
}

/** Which usage rows the receipts are about; all when absent. */
export interface ReceiptScope {
  readonly provider?: string | undefined;
  /** The time of admission, half-open. Rows outside need no receipt, and may have one. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/**
 * missing_row: served and not counted. missing_receipt: billed and not served. tokens, cost: they are not
 * the same. counted_twice: several rows with one upstream id. repeated_receipt: several receipts with one id.
 */
export const receiptDifferenceKinds = [
  'missing_row',
  'missing_receipt',
  'tokens',
  'cost',
  'counted_twice',
  'repeated_receipt',
] as const;
export type ReceiptDifferenceKind = (typeof receiptDifferenceKinds)[number];
