/** One line of the provider's own books. */
export interface Receipt {
  readonly id: string;
  readonly model: string;
  readonly input_tokens: number;
  readonly cached_tokens: number;
  readonly output_tokens: number;
}

/** One row of ours. */
export interface UsageRow {
  readonly usageId: string;
  /** Empty when the process that knew it was killed. */
  readonly upstreamId: string;
  /** As the provider names it. */
  readonly model: string;
  readonly costNanoUsd: bigint;
  readonly outcome: string;
  readonly isEstimated: boolean;
}

export interface Reconciled {
  /** Receipts without any row. */
  readonly lost: number;
  /** Rows beyond the first of one receipt. */
  readonly double: number;
  readonly billedNanoUsd: bigint;
  readonly receiptNanoUsd: bigint;
  /** Receipts of generations that were cut off by a kill, and what of them was not billed. */
  readonly interrupted: number;
  readonly interruptedNanoUsd: bigint;
  /** Rows of generations that were cut off before the provider served anything: they cost nothing. */
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
 * Holds each receipt against our rows: by the provider's id, at the same price; or, when a kill took the
 * id, with the row of an interrupted generation of the same model, at no more than its price. Each
 * request has to name a model of its own.
 */
export function reconcile(receipts: readonly Receipt[], rows: readonly UsageRow[]): Reconciled {
  const findings: string[] = [];
  const byId = Map.groupBy(
    rows.filter(({ upstreamId }) => upstreamId !== ''),
    ({ upstreamId }) => upstreamId,
  );
  const unnamed = new Unnamed(rows.filter(({ upstreamId }) => upstreamId === ''));
  const sums = { lost: 0, double: 0, interrupted: 0, billed: 0n, receipt: 0n, unbilled: 0n };
  for (const row of rows) sums.billed += row.costNanoUsd;
  for (const receipt of receipts) {
    const owed = receiptNanoUsd(receipt);
    sums.receipt += owed;
    const named = byId.get(receipt.id) ?? [];
    byId.delete(receipt.id);
    const row = named[0] ?? unnamed.take(receipt);
    if (!row) {
      sums.lost++;
      findings.push(`receipt ${receipt.id} of ${receipt.model} (${owed}) has no row`);
      continue;
    }
    for (const other of named.slice(1)) {
      sums.double++;
      findings.push(`receipt ${receipt.id} is in ${row.usageId} and in ${other.usageId}`);
    }
    const isCutOff = named.length === 0;
    if (isCutOff) {
      sums.interrupted++;
      sums.unbilled += owed - row.costNanoUsd;
    }
    if (isCutOff ? row.costNanoUsd > owed : row.costNanoUsd !== owed)
      findings.push(`${row.usageId} billed ${row.costNanoUsd} where ${receipt.id} says ${owed}`);
  }
  for (const { usageId, costNanoUsd } of [...[...byId.values()].flat(), ...unnamed.left()])
    if (costNanoUsd > 0n) findings.push(`${usageId} billed ${costNanoUsd} without a receipt`);
  const expected = sums.receipt - sums.unbilled;
  if (findings.length === 0 && sums.billed !== expected)
    findings.push(`billed ${sums.billed} in all where the receipts say ${expected}`);
  return {
    lost: sums.lost,
    double: sums.double,
    billedNanoUsd: sums.billed,
    receiptNanoUsd: sums.receipt,
    interrupted: sums.interrupted,
    interruptedNanoUsd: sums.unbilled,
    unserved: unnamed.left().length,
    findings,
  };
}

/** Rows without the provider's id; only those that say that they are estimates of what a kill cut off. */
class Unnamed {
  readonly #byModel: Map<string, UsageRow[]>;
  readonly #others: readonly UsageRow[];

  constructor(rows: readonly UsageRow[]) {
    const isCutOff = (row: UsageRow) => row.outcome === 'interrupted' && row.isEstimated;
    this.#byModel = Map.groupBy(rows.filter(isCutOff), ({ model }) => model);
    this.#others = rows.filter((row) => !isCutOff(row));
  }

  take({ model }: Receipt): UsageRow | undefined {
    return this.#byModel.get(model)?.pop();
  }

  left(): readonly UsageRow[] {
    return [...[...this.#byModel.values()].flat(), ...this.#others];
  }
}
