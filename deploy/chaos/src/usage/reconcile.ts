/** One line of the provider's own books. */
export interface Receipt {
  readonly id: string;
  /** What we called the attempt: the usage id of its row. */
  readonly client_request_id: string;
  readonly input_tokens: number;
  readonly cached_tokens: number;
  readonly output_tokens: number;
}

/** One row of ours. */
export interface UsageRow {
  readonly usageId: string;
  readonly upstreamId: string;
  readonly costNanoUsd: bigint;
  /** undefined: it is final. Else what may still be charged, when somebody knows what was served. */
  readonly suspendedNanoUsd: bigint | undefined;
}

export interface Reconciled {
  /** Receipts without a row. */
  readonly lost: number;
  /** Rows beyond the first of one receipt, and receipts beyond the first of one row. */
  readonly double: number;
  readonly billedNanoUsd: bigint;
  readonly receiptNanoUsd: bigint;
  /** Receipts whose row is still an estimate, and what of them is not billed yet. */
  readonly open: number;
  readonly openNanoUsd: bigint;
  /** Estimates without a receipt: the provider served nothing. They cost nothing. */
  readonly unserved: number;
  /** What does not hold, in sentences. */
  readonly findings: readonly string[];
}

const prices = { inputNanoUsd: 1_000n, cachedNanoUsd: 500n, outputNanoUsd: 2_000n };

/** What the simulator's models cost, by their published prices. */
export function receiptNanoUsd(receipt: Receipt): bigint {
  const { input_tokens: input, cached_tokens: cached, output_tokens: output } = receipt;
  return (
    BigInt(input - cached) * prices.inputNanoUsd +
    BigInt(cached) * prices.cachedNanoUsd +
    BigInt(output) * prices.outputNanoUsd
  );
}

/**
 * Holds each receipt against our rows, both ways, by the name that we gave the attempt: one row, at the same
 * price. Of an estimate that is open the receipt says no less than what is billed, and no more than what is
 * in suspense on top.
 */
export function reconcile(receipts: readonly Receipt[], rows: readonly UsageRow[]): Reconciled {
  const findings: string[] = [];
  const byUsageId = new Map(rows.map((row) => [row.usageId, row]));
  const sums = { lost: 0, double: 0, open: 0, billed: 0n, receipt: 0n, unbilled: 0n };
  for (const row of rows) sums.billed += row.costNanoUsd;
  for (const [upstreamId, same] of Map.groupBy(rows, (row) => row.upstreamId))
    if (upstreamId !== '' && same.length > 1) {
      sums.double += same.length - 1;
      findings.push(`${upstreamId} is in ${same.map(({ usageId }) => usageId).join(' and in ')}`);
    }
  const served = new Set<string>();
  for (const receipt of receipts) {
    const { id, client_request_id: usageId } = receipt;
    const [row, owed] = [byUsageId.get(usageId), receiptNanoUsd(receipt)];
    sums.receipt += owed;
    if (served.has(usageId)) {
      sums.double++;
      findings.push(`${usageId} has a second receipt, ${id}`);
    }
    served.add(usageId);
    if (!row) {
      sums.lost++;
      findings.push(`receipt ${id} of ${usageId} (${owed}) has no row`);
      continue;
    }
    const { costNanoUsd, suspendedNanoUsd = 0n } = row;
    if (row.suspendedNanoUsd !== undefined) sums.open++;
    sums.unbilled += owed - costNanoUsd;
    if (owed < costNanoUsd || owed > costNanoUsd + suspendedNanoUsd)
      findings.push(`${usageId} billed ${costNanoUsd} where ${id} says ${owed}`);
  }
  const others = rows.filter(({ usageId }) => !served.has(usageId));
  for (const { usageId, costNanoUsd } of others)
    if (costNanoUsd > 0n) findings.push(`${usageId} billed ${costNanoUsd} without a receipt`);
  return {
    lost: sums.lost,
    double: sums.double,
    billedNanoUsd: sums.billed,
    receiptNanoUsd: sums.receipt,
    open: sums.open,
    openNanoUsd: sums.unbilled,
    unserved: others.filter(({ suspendedNanoUsd }) => suspendedNanoUsd !== undefined).length,
    findings,
  };
}
