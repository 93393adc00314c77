import { openDatabase } from '@sluice/read-model';
import { requireFactsFrom } from '../store/archived-days.ts';
import { type AppliedReceipts, applyReceipts } from './apply-receipts.ts';
import { countFindings, type FoundRow, listDifferences } from './compare-receipts.ts';
import { loadReceipts } from './load-receipts.ts';
import {
  type ProviderReceipt,
  type ReceiptDifferenceKind,
  receiptDifferenceKinds,
  type ReceiptScope,
} from './receipt.ts';

export type { AppliedReceipts } from './apply-receipts.ts';
export type { ProviderReceipt, ReceiptDifferenceKind, ReceiptScope } from './receipt.ts';

export interface Reconciliation {
  readonly receipts: bigint;
  /** Upstream ids with one receipt and one row that say the same. */
  readonly matched: bigint;
  /** Receipts of no tokens without a row. */
  readonly nothingServed: bigint;
  /** Rows of no tokens and no cost without a receipt. */
  readonly nothingBilled: bigint;
  readonly counts: Readonly<Record<ReceiptDifferenceKind, bigint>>;
  /** If undefined, nothing was to be applied. */
  readonly applied: AppliedReceipts | undefined;
  /** The first ones of each kind. */
  readonly differences: readonly FoundRow[];
}

export interface ReconciliationOptions extends ReceiptScope {
  readonly postgresUrl: string;
  /** `ledger` when absent; only tests set it. */
  readonly schema?: string;
  readonly receipts: AsyncIterable<ProviderReceipt>;
  /** The number of differences that are shown of each kind; 20 when absent. */
  readonly differencesMax?: number;
  /** Estimates get the values of their receipts first. Absent: nothing is changed. */
  readonly apply?: {
    /** The receipts are all there are of the scope: what has none was not served. */
    readonly isComplete: boolean;
  };
}

const differencesMaxDefault = 20;
/** All facts are read: that takes its time. */
const statementTimeoutMs = 3_600_000;

/**
 * Compares receipts with usage rows by upstream id, both ways. The receipts go into a temporary table, so
 * that memory is bounded; nothing else is written unless it is to be applied. Rows are those of the instant
 * after the last receipt was read. Throws Fault read_model_unavailable, FactsArchived if rows of the time are in files
 * only, and what reading receipts throws.
 */
export async function reconcileReceipts(options: ReconciliationOptions): Promise<Reconciliation> {
  const { postgresUrl: url, schema = 'ledger', differencesMax = differencesMaxDefault } = options;
  const database = openDatabase({ url, schema, connectionsMax: 1, statementTimeoutMs });
  try {
    const connection = await database.connect();
    try {
      await requireFactsFrom(connection, options.from);
      const receipts = await loadReceipts(connection, options.receipts);
      const applied =
        options.apply && (await applyReceipts(connection, { ...options, ...options.apply }));
      return await connection.transaction(async (transaction) => {
        await transaction.query({
          text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
          values: [],
        });
        const found = await countFindings(transaction, options);
        const differences = await listDifferences(transaction, options, differencesMax);
        const counts = receiptDifferenceKinds.map((kind) => [kind, found.get(kind) ?? 0n] as const);
        return {
          receipts,
          matched: found.get('matched') ?? 0n,
          nothingServed: found.get('nothing_served') ?? 0n,
          nothingBilled: found.get('nothing_billed') ?? 0n,
          counts: Object.fromEntries(counts) as Reconciliation['counts'],
          applied,
          differences,
        };
      });
    } finally {
      await connection.close();
    }
  } finally {
    await database.stop();
  }
}
