interface Named {
  readonly id: string;
  /** The id of the attempt or of the call of a tool: the usage id of its row. */
  readonly client_request_id: string;
}

/** One line of the books of a search engine, or of an engine that reads files, whose results are pages. */
export interface SearchReceipt extends Named {
  readonly engine: string;
  readonly results: number;
}

/** One line of the own books of a provider of models. */
export interface AnswerReceipt extends Named {
  readonly input_tokens: number;
  readonly cached_tokens: number;
  readonly output_tokens: number;
  /** failed: the provider asks for nothing. */
  readonly outcome: 'completed' | 'incomplete' | 'cut' | 'failed' | 'disconnected';
}

/** One line of the books of the other side. */
export type Receipt = AnswerReceipt | SearchReceipt;

/** One row of ours. */
export interface UsageRow {
  readonly usageId: string;
  readonly upstreamId: string;
  readonly outcome: string;
  /** The amount that the customer pays. */
  readonly costNanoUsd: bigint;
  /** The amount that the provider is expected to charge. */
  readonly upstreamCostNanoUsd: bigint;
  /** The amount that a correction may still add; undefined if the row is final. */
  readonly suspendedNanoUsd: bigint | undefined;
}

export interface Reconciled {
  /** Receipts without a row that nothing excuses. */
  readonly lost: number;
  /** Receipts without a row that a power cut may lose: nothing of the answer had left. They are in no sum. */
  readonly unknown: number;
  /** Rows beyond the first of one receipt, and receipts beyond the first of one row. */
  readonly double: number;
  /** The amount that customers pay. */
  readonly customersNanoUsd: bigint;
  /** The amounts that the provider charges: by the ledger's rows, and by its receipts. */
  readonly billedNanoUsd: bigint;
  readonly receiptNanoUsd: bigint;
  /** Number of receipts whose row is still an estimate, and their amount that is not billed yet. */
  readonly open: number;
  readonly openNanoUsd: bigint;
  /** Estimates without a receipt: the provider served nothing. They cost nothing. */
  readonly unserved: number;
  /** Receipts without a row that have no price: the provider gave the answer up with a status. */
  readonly unpriced: number;
  /** The violations, in sentences. */
  readonly findings: readonly string[];
}

/** The prices of engines: per search, and per result beyond ten. The engine of the simulator speaks SearXNG's API. */
const searchPrices: Readonly<Record<string, bigint>> = { exa: 7_000_000n, searxng: 4_000_000n };
const [resultsIncluded, resultNanoUsd] = [10, 1_000_000n];
/** The prices of a page at engines that read files. */
const pagePrices: Readonly<Record<string, bigint>> = { 'mistral-ocr': 2_000_000n };

export function isSearch(receipt: Receipt): receipt is SearchReceipt {
  return 'engine' in receipt;
}

const prices = { inputNanoUsd: 1_000n, cachedNanoUsd: 500n, outputNanoUsd: 2_000n };

/**
 * Returns the cost of a receipt, by the published prices of the simulator's models and of the engines.
 * An answer that the provider gave up costs nothing.
 */
export function receiptNanoUsd(receipt: Receipt): bigint {
  if (isSearch(receipt)) {
    const page = pagePrices[receipt.engine];
    if (page !== undefined) return BigInt(receipt.results) * page;
    const further = BigInt(Math.max(0, receipt.results - resultsIncluded));
    const search = searchPrices[receipt.engine];
    if (search === undefined) throw new Error(`the load has no price of ${receipt.engine}`);
    return search + further * resultNanoUsd;
  }
  if (receipt.outcome === 'failed') return 0n;
  const { input_tokens: input, cached_tokens: cached, output_tokens: output } = receipt;
  return (
    BigInt(input - cached) * prices.inputNanoUsd +
    BigInt(cached) * prices.cachedNanoUsd +
    BigInt(output) * prices.outputNanoUsd
  );
}

/**
 * Compares receipts with our rows in both directions, by usage id. Each receipt has one row at its price. The receipt
 * of an open estimate lies between the counted amount and that amount plus its suspense. A customer pays the provider's
 * price for a served request, and nothing for a failed one.
 */
export function reconcile(
  receipts: readonly Receipt[],
  rows: readonly UsageRow[],
  mayBeUnknown: (usageId: string) => boolean = () => false,
): Reconciled {
  const findings: string[] = [];
  const sums = { lost: 0, unknown: 0, double: 0, open: 0, unserved: 0, unpriced: 0 };
  const amounts = { customersNanoUsd: 0n, billedNanoUsd: 0n, receiptNanoUsd: 0n, openNanoUsd: 0n };
  const byUsageId = new Map(rows.map((row) => [row.usageId, row]));
  for (const row of rows) {
    amounts.customersNanoUsd += row.costNanoUsd;
    amounts.billedNanoUsd += row.upstreamCostNanoUsd;
    const problem = customerProblem(row);
    if (problem !== undefined) findings.push(problem);
  }
  for (const [upstreamId, same] of Map.groupBy(rows, (row) => row.upstreamId))
    if (upstreamId !== '' && same.length > 1) {
      sums.double += same.length - 1;
      findings.push(`${upstreamId} is in ${same.map(({ usageId }) => usageId).join(' and in ')}`);
    }
  const seen = new Set<string>();
  for (const receipt of receipts) {
    const { id, client_request_id: usageId } = receipt;
    const [row, owed] = [byUsageId.get(usageId), receiptNanoUsd(receipt)];
    if (!row && owed > 0n && mayBeUnknown(usageId)) {
      sums.unknown++;
      continue;
    }
    amounts.receiptNanoUsd += owed;
    if (seen.has(usageId)) {
      sums.double++;
      findings.push(`${usageId} has a second receipt, ${id}`);
    }
    seen.add(usageId);
    if (!row) {
      if (owed === 0n) sums.unpriced++;
      else {
        sums.lost++;
        findings.push(`receipt ${id} of ${usageId} (${owed}) has no row`);
      }
      continue;
    }
    const { upstreamCostNanoUsd: counted, suspendedNanoUsd = 0n } = row;
    if (row.suspendedNanoUsd !== undefined) sums.open++;
    amounts.openNanoUsd += owed - counted;
    if (owed < counted || owed > counted + suspendedNanoUsd)
      findings.push(`${usageId} counted ${counted} where ${id} says ${owed}`);
  }
  for (const { usageId, upstreamCostNanoUsd: counted, suspendedNanoUsd } of rows) {
    if (seen.has(usageId)) continue;
    if (suspendedNanoUsd !== undefined) sums.unserved++;
    if (counted > 0n) findings.push(`${usageId} counted ${counted} without a receipt`);
  }
  return { ...sums, ...amounts, findings };
}

const served: ReadonlySet<string> = new Set(['completed', 'incomplete']);

/** Why a customer pays the wrong amount; undefined: it is right as far as the row says. */
function customerProblem(row: UsageRow): string | undefined {
  const { usageId, outcome, costNanoUsd: cost, upstreamCostNanoUsd: counted } = row;
  if (outcome === 'failed' && cost > 0n) return `${usageId} failed and costs the customer ${cost}`;
  const isOpen = row.suspendedNanoUsd !== undefined;
  if (served.has(outcome) && !isOpen && cost !== counted)
    return `${usageId} was served and costs the customer ${cost} of ${counted}`;
  return cost > counted ? `${usageId} costs the customer ${cost} of ${counted}` : undefined;
}
