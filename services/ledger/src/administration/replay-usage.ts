import { openDatabase, type Queryable } from '@sluice/read-model';
import { writeFact } from '@sluice/usage-facts';
import { currentFact, type FactRow, selectFacts } from '../queries/fact-rows.ts';
import { requireFactsFrom } from '../store/archived-days.ts';

export interface ReplayOptions {
  readonly postgresUrl: string;
  /** `ledger` when absent; only tests set it. */
  readonly schema?: string;
  /** Facts that were admitted from this instant on, and before the other one. */
  readonly from: Date;
  readonly to?: Date | undefined;
  /** All accounts when absent. */
  readonly accountId?: string | undefined;
  /** Takes a page of facts, each the JSON of `usage.v1.UsageRecorded` as the bus has it. */
  readonly onFacts: (facts: readonly object[]) => Promise<void> | void;
}

const pageFacts = 1_000;
const statementTimeoutMs = 600_000;

const facts = `${selectFacts}
  WHERE admitted_at >= $1 AND ($2::timestamptz IS NULL OR admitted_at < $2)
    AND ($3::text IS NULL OR account_id = $3)
  ORDER BY admitted_at, usage_id`;

/**
 * Reads the usage facts that the ledger has counted, in the order of their admission, as they would be on the bus.
 * A corrected fact has its corrected values. Only estimates keep their prices, their hold and the provider's usage
 * report. Returns how many. Throws Fault read_model_unavailable, and FactsArchived if some are in files only.
 */
export async function replayUsage(options: ReplayOptions): Promise<number> {
  const { postgresUrl: url, schema = 'ledger', from, to, accountId, onFacts } = options;
  const database = openDatabase({ url, schema, connectionsMax: 1, statementTimeoutMs });
  const values = [from.toISOString(), to?.toISOString() ?? null, accountId ?? null];
  try {
    return await database.transaction(async (transaction) => {
      // One scan, however many facts there are: a page each would need an index of its own.
      await transaction.query({ text: `DECLARE replay NO SCROLL CURSOR FOR ${facts}`, values });
      // Facts that were archived before the scan are not in it.
      await requireFactsFrom(transaction, from);
      let count = 0;
      for (;;) {
        const page = await nextPage(transaction);
        if (page.length > 0) await onFacts(page);
        count += page.length;
        if (page.length < pageFacts) return count;
      }
    });
  } finally {
    await database.stop();
  }
}

async function nextPage(transaction: Queryable): Promise<readonly object[]> {
  const text = `FETCH ${pageFacts} FROM replay`;
  const rows = await transaction.query<FactRow>({ text, values: [] });
  return rows.map((row) => writeFact(currentFact(row)));
}
