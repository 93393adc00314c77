import type { Queryable } from '@sluice/read-model';
import type { CreditEntry } from '../domain/credit/credit-entry.ts';

const text = `
  INSERT INTO credits (credit_id, account_id, entry_kind, amount_nano_usd, occurred_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[])
  ON CONFLICT (credit_id) DO NOTHING
  RETURNING credit_id`;

/** Inserts those that are not there yet, in the order of the id; the answer is their ids. */
export async function insertCredits(
  transaction: Queryable,
  entries: readonly CreditEntry[],
): Promise<ReadonlySet<string>> {
  if (entries.length === 0) return new Set();
  const ordered = entries.toSorted((a, b) => (a.creditId < b.creditId ? -1 : 1));
  const rows = await transaction.query<{ credit_id: string }>({
    name: 'insert-credits',
    text,
    values: [
      ordered.map(({ creditId }) => creditId),
      ordered.map(({ accountId }) => accountId),
      ordered.map(({ entryKind }) => entryKind),
      ordered.map(({ amountNanoUsd }) => amountNanoUsd),
      ordered.map(({ occurredAt }) => occurredAt),
    ],
  });
  return new Set(rows.map(({ credit_id }) => credit_id));
}
