import type { Queryable } from '@sluice/read-model';
import type { Increment } from '../domain/usage/tally.ts';
import type { CounterTable } from './correct-counters.ts';
import { givenRows } from './given-rows.ts';

const given = givenRows({
  accountId: 'text',
  scopeKind: 'text',
  scopeId: 'text',
  windowKind: 'text',
  windowStart: 'timestamptz',
  creditsNanoUsd: 'bigint',
  byokNanoUsd: 'bigint',
});

const text = (table: CounterTable) => `
  INSERT INTO ${table} AS counter (${given.columns}) SELECT * FROM ${given.from}
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
  const rows = increments.map((increment) => ({
    ...increment,
    windowStart: increment.windowStart.toISOString(),
  }));
  const values = given.valuesOf(rows);
  await transaction.query({ name: `add-to-${table}`, text: text(table), values });
}
