import type { Queryable } from '@sluice/read-model';
import type { CreditEntry } from '../domain/credit/credit-entry.ts';

const text = `
  INSERT INTO limits AS known
    (account_id, scope_kind, scope_id, window_kind, limit_nano_usd, include_byok)
  SELECT account_id, 'account', account_id, 'lifetime', amount, false
  FROM unnest($1::text[], $2::bigint[]) AS given (account_id, amount)
  ON CONFLICT (account_id, scope_kind, scope_id, window_kind) DO UPDATE
    SET limit_nano_usd = known.limit_nano_usd + excluded.limit_nano_usd`;

/** Credits are what an account may spend in its life. One row per account, in the order of the id. */
export async function addToCreditLimits(
  transaction: Queryable,
  entries: readonly CreditEntry[],
): Promise<void> {
  const sums = new Map<string, bigint>();
  for (const { accountId, amountNanoUsd } of entries)
    sums.set(accountId, (sums.get(accountId) ?? 0n) + amountNanoUsd);
  if (sums.size === 0) return;
  const ordered = [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const values = [ordered.map(([accountId]) => accountId), ordered.map(([, amount]) => amount)];
  await transaction.query({ name: 'add-to-credit-limits', text, values });
}
