import type { Queryable } from '@sluice/read-model';

export type LogEntryKind = 'recorded' | 'corrected' | 'expired';

/**
 * The lock is taken before the position is drawn and ends after the commit is visible. So positions are committed in
 * their order, and a reader that has seen one has seen all before it.
 */
const text = `
  INSERT INTO fact_log (entry_kind, usage_ids, facts)
  SELECT $1, $2::text[], cardinality($2::text[])
  FROM pg_advisory_xact_lock(hashtextextended('sluice/fact-log/' || current_schema(), 0))`;

/**
 * Adds facts that the same transaction has written to the log. It must be the last statement of the transaction: others
 * that log wait for its commit.
 */
export async function logFacts(
  transaction: Queryable,
  kind: LogEntryKind,
  usageIds: readonly string[],
): Promise<void> {
  if (usageIds.length === 0) return;
  await transaction.query({ name: 'log-facts', text, values: [kind, [...usageIds]] });
}
