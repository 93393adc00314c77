import type { Queryable } from '@sluice/read-model';
import type { Increment } from '../domain/usage/tally.ts';
import type { CounterTable } from './correct-counters.ts';

const text = (table: CounterTable) => `
  INSERT INTO ${table} AS counter (
    account_id, scope_kind, scope_id, window_kind, window_start, credits_nano_usd, byok_nano_usd
  )
  SELECT * FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::bigint[], $7::bigint[]
  )
  ON CONFLICT (account_id, scope_kind, scope_id, window_kind, window_start) DO UPDATE SET
    credits_nano_usd = counter.credits_nano_usd + excluded.credits_nano_usd,
    byok_nano_usd = counter.byok_nano_usd + excluded.byok_nano_usd`;

/** One row per increment, locked in the order given: that of `tally`. */
export async function addToCounters(
  transaction: Queryable,
  table: CounterTable,
  increments: readonly Increment[],
): Promise<void> {
  if (increments.length === 0) return;
  await transaction.query({
    name: `add-to-${table}`,
    text: text(table),
    values: [
      increments.map(({ accountId }) => accountId),
      increments.map(({ scopeKind }) => scopeKind),
      increments.map(({ scopeId }) => scopeId),
      increments.map(({ windowKind }) => windowKind),
      increments.map(({ windowStart }) => windowStart.toISOString()),
      increments.map(({ creditsNanoUsd }) => creditsNanoUsd),
      increments.map(({ byokNanoUsd }) => byokNanoUsd),
    ],
  });
}
