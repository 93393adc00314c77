import type { Queryable } from '@sluice/read-model';
import type { Increment } from '../domain/usage/tally.ts';

/** Sums of charged amounts and of amounts in suspense. */
export type CounterTable = 'counters' | 'suspended';

const text = (table: CounterTable) => `
  WITH given AS (
    SELECT * FROM unnest(
      $1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::bigint[], $7::bigint[]
    ) WITH ORDINALITY AS increment (
      account_id, scope_kind, scope_id, window_kind, window_start, credits, byok, ordinal
    )
  ), locked AS (
    SELECT account_id, scope_kind, scope_id, window_kind, window_start, credits, byok
    FROM ${table} AS counter
    JOIN given USING (account_id, scope_kind, scope_id, window_kind, window_start)
    ORDER BY given.ordinal
    FOR UPDATE OF counter
  )
  UPDATE ${table} AS counter SET
    credits_nano_usd = counter.credits_nano_usd + locked.credits,
    byok_nano_usd = counter.byok_nano_usd + locked.byok
  FROM locked
  WHERE (counter.account_id, counter.scope_kind, counter.scope_id, counter.window_kind,
      counter.window_start)
    = (locked.account_id, locked.scope_kind, locked.scope_id, locked.window_kind,
      locked.window_start)`;

/**
 * Adds what may be negative to counters that are there since their facts were counted, locked in the order
 * given: that of `tally`.
 */
export async function correctCounters(
  transaction: Queryable,
  table: CounterTable,
  increments: readonly Increment[],
): Promise<void> {
  if (increments.length === 0) return;
  await transaction.query({
    name: `correct-${table}`,
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
