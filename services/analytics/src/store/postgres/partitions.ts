import type { Queryable } from '@sluice/read-model';
import type { UsageRow } from '../../domain/usage-row.ts';
import { dayMs, dayOf, floorTo, monthOf } from '../instants.ts';
import type { Kept } from '../plan.ts';
import { dictionaries, rollups } from '../tables.ts';

const ensure = `SELECT ensure_partition(parent, first, past)
  FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) AS wanted (parent, first, past)`;

/** Makes the partitions that rows need, each once. It remembers those that it has made. */
export class Partitions {
  readonly #made = new Set<string>();

  /** Forgets all, since one may have been dropped, or its transaction was rolled back. */
  forget(): void {
    this.#made.clear();
  }

  async ensure(
    transaction: Queryable,
    rows: readonly Pick<UsageRow, 'atMs'>[],
    kept: Kept,
  ): Promise<void> {
    const wanted = new Map<string, readonly [string, Date, Date]>();
    const want = (parent: string, first: Date, past: Date) => {
      const key = `${parent}/${first.toISOString()}`;
      if (!this.#made.has(key)) wanted.set(key, [parent, first, past]);
    };
    for (const dayStartMs of new Set(rows.map(({ atMs }) => floorTo(atMs, dayMs)))) {
      if (dayStartMs >= kept.factsMs)
        want('facts', new Date(dayStartMs), new Date(dayStartMs + dayMs));
      const [first, past] = monthOf(dayStartMs);
      for (const { table } of rollups) want(table, first, past);
    }
    if (wanted.size === 0) return;
    const parts = [...wanted.values()];
    await transaction.query({
      text: ensure,
      values: [
        parts.map(([parent]) => parent),
        parts.map(([, first]) => first.toISOString()),
        parts.map(([, , past]) => past.toISOString()),
      ],
    });
    for (const key of wanted.keys()) this.#made.add(key);
  }
}

/** Drops the partitions that end before rows are kept. Returns their number. */
export async function dropPartitions(transaction: Queryable, kept: Kept): Promise<number> {
  const bounds = [
    { table: 'facts', past: dayOf(kept.factsMs) },
    { table: 'superseded', past: dayOf(kept.factsMs) },
    ...rollups.map(({ table, bucket }) => ({
      table,
      past: dayOf(bucket === 'hour' ? kept.hoursMs : kept.daysMs),
    })),
  ];
  const old = await transaction.query<{ name: string }>({
    text: `SELECT format('%I', part.relname) AS name
      FROM unnest($1::text[], $2::text[]) AS bound (parent, past)
        JOIN pg_class AS whole ON whole.relname = bound.parent
          AND whole.relnamespace = current_schema()::regnamespace
        JOIN pg_inherits ON inhparent = whole.oid
        JOIN pg_class AS part ON part.oid = inhrelid
      WHERE (regexp_match(pg_get_expr(part.relpartbound, part.oid), 'TO \\(''(\\d{4}-\\d\\d-\\d\\d)'))[1] <= past`,
    values: [bounds.map(({ table }) => table), bounds.map(({ past }) => past)],
  });
  for (const { name } of old) await transaction.query({ text: `DROP TABLE ${name}`, values: [] });
  return old.length;
}

/** Deletes the entries of dictionaries that no row of a kept month can have. */
export async function dropUnused(transaction: Queryable, kept: Kept): Promise<void> {
  const ofDays = new Set(rollups.flatMap(({ bucket, refs }) => (bucket === 'day' ? refs : [])));
  for (const { table, ref } of dictionaries) {
    const firstMs = Math.min(kept.factsMs, kept.hoursMs, ...(ofDays.has(ref) ? [kept.daysMs] : []));
    const [firstMonth] = monthOf(firstMs);
    await transaction.query({
      text: `DELETE FROM ${table} WHERE used_in < $1::date`,
      values: [dayOf(firstMonth.getTime())],
    });
  }
}
