import { openDatabase, type Queryable } from '@sluice/read-model';
import { countFindings, type FoundRow, listDifferences } from './compare-receipts.ts';
import {
  type ProviderReceipt,
  type ReceiptDifferenceKind,
  receiptDifferenceKinds,
  type ReceiptScope,
} from './receipt.ts';

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
  /** The first ones of each kind. */
  readonly differences: readonly FoundRow[];
}

export interface ReconciliationOptions extends ReceiptScope {
  readonly postgresUrl: string;
  /** Of tests only; `ledger` when absent. */
  readonly schema?: string;
  readonly receipts: AsyncIterable<ProviderReceipt>;
  /** Of each kind that are shown; 20 when absent. */
  readonly differencesMax?: number;
}

const differencesMaxDefault = 20;
const batchSize = 1_000;
/** All facts are read: that takes its time. */
const statementTimeoutMs = 3_600_000;

/**
 * Compares receipts with usage rows by upstream id, both ways. The receipts go into a temporary table, so
 * that memory is bounded; nothing else is written. Rows are those of the instant after the last receipt was
 * read. Throws Fault read_model_unavailable and what reading receipts throws.
 */
export async function reconcileReceipts(options: ReconciliationOptions): Promise<Reconciliation> {
  const { postgresUrl: url, schema = 'ledger', differencesMax = differencesMaxDefault } = options;
  const database = openDatabase({ url, schema, connectionsMax: 1, statementTimeoutMs });
  try {
    const connection = await database.connect();
    try {
      const receipts = await load(connection, options.receipts);
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

/** The table ends with the connection. Returns how many there are. */
async function load(
  connection: Queryable,
  receipts: AsyncIterable<ProviderReceipt>,
): Promise<bigint> {
  const run = (text: string) => connection.query({ text, values: [] });
  await run(`CREATE TEMPORARY TABLE given_receipts (id text NOT NULL,
    input_tokens bigint NOT NULL, output_tokens bigint NOT NULL, cached_tokens bigint)`);
  let loaded = 0n;
  let batch: ProviderReceipt[] = [];
  const flush = async () => {
    await insert(connection, batch);
    loaded += BigInt(batch.length);
    batch = [];
  };
  for await (const receipt of receipts) if (batch.push(receipt) === batchSize) await flush();
  await flush();
  await run('ANALYZE given_receipts');
  return loaded;
}

async function insert(connection: Queryable, batch: readonly ProviderReceipt[]): Promise<void> {
  await connection.query({
    name: 'insert-receipts',
    text: `INSERT INTO given_receipts
           SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])`,
    values: [
      batch.map(({ id }) => id),
      batch.map(({ inputTokens }) => inputTokens),
      batch.map(({ outputTokens }) => outputTokens),
      batch.map(({ cachedTokens }) => cachedTokens ?? null),
    ],
  });
}
