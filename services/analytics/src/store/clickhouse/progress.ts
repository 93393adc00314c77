import { Fault } from '@sluice/errors';
import type { Database, Queryable } from '@sluice/read-model';
import type { Retention } from '../analytics-store.ts';
import type { Kept } from '../plan.ts';
import { keptAt } from '../plan.ts';

/** The progress of the store. PostgreSQL has it, because ClickHouse has no transactions and no locks. */
export interface Progress {
  readonly ledgerCursor: string;
  /** Entries behind the cursor may have been written in part. */
  readonly isPending: boolean;
  readonly ledgerReadAt: Date | null;
  readonly kept: Kept;
  /** Facts of the days before are gone. It is never later than `kept.factsMs`. */
  readonly closedMs: number;
  /** Hours before are being added up, or are. */
  readonly sealingMs: number;
  /** Hours before are in the tables of sums. */
  readonly sealedMs: number;
}

interface Stored {
  readonly ledgerCursor: string;
  readonly pendingAfter: string | null;
  readonly ledgerReadAt: Date | null;
  readonly factsFrom: Date;
  readonly hoursFrom: Date;
  readonly daysFrom: Date;
  readonly closedUntil: Date;
  readonly sealingUntil: Date;
  readonly sealedUntil: Date;
}

const selected = `SELECT ledger_cursor AS "ledgerCursor", pending_after AS "pendingAfter",
  ledger_read_at AS "ledgerReadAt", facts_from AS "factsFrom", hours_from AS "hoursFrom", days_from AS "daysFrom",
  closed_until AS "closedUntil", sealing_until AS "sealingUntil", sealed_until AS "sealedUntil"
  FROM clickhouse_progress`;

/** Makes the row, or makes it anew if it is about another database. That one is filled from the ledger. */
export async function beginProgress(
  database: Database,
  databaseId: string,
  now: Date,
  retention: Retention,
): Promise<void> {
  const { factsMs, hoursMs, daysMs } = keptAt(now, retention);
  await database.transaction(async (transaction) => {
    const made = await transaction.query({
      text: `INSERT INTO clickhouse_progress AS known (database_id, facts_from, hours_from, days_from, closed_until,
          sealing_until, sealed_until) VALUES ($1, $2, $3, $4, $4, $4, $4)
        ON CONFLICT (is_only) DO UPDATE SET database_id = excluded.database_id, ledger_cursor = '',
          pending_after = NULL, ledger_read_at = NULL, facts_from = excluded.facts_from,
          hours_from = excluded.hours_from, days_from = excluded.days_from, closed_until = excluded.closed_until,
          sealing_until = excluded.sealing_until, sealed_until = excluded.sealed_until
        WHERE known.database_id <> excluded.database_id RETURNING 1`,
      values: [databaseId, new Date(factsMs), new Date(hoursMs), new Date(daysMs)],
    });
    if (made.length > 0)
      await transaction.query({ text: 'DELETE FROM clickhouse_recounts', values: [] });
  });
}

/** Reads the progress. With a lock, writers of all replicas come one after the other. */
export async function readProgress(
  connection: Queryable,
  { lock }: { readonly lock: boolean },
): Promise<Progress> {
  const [stored] = await connection.query<Stored>({
    text: lock ? `${selected} FOR UPDATE` : selected,
    values: [],
  });
  // ClickHouse was not reached yet since the first start.
  if (!stored) throw new Fault('read_model_unavailable');
  const { ledgerCursor, pendingAfter, ledgerReadAt } = stored;
  return {
    ledgerCursor,
    isPending: pendingAfter === ledgerCursor,
    ledgerReadAt,
    kept: {
      factsMs: stored.factsFrom.getTime(),
      hoursMs: stored.hoursFrom.getTime(),
      daysMs: stored.daysFrom.getTime(),
    },
    closedMs: stored.closedUntil.getTime(),
    sealingMs: stored.sealingUntil.getTime(),
    sealedMs: stored.sealedUntil.getTime(),
  };
}

/** Notes that entries behind the cursor are being written. False: another replica has moved it. */
export async function notePending(connection: Queryable, after: string): Promise<boolean> {
  const noted = await connection.query({
    text: 'UPDATE clickhouse_progress SET pending_after = $1 WHERE ledger_cursor = $1 RETURNING 1',
    values: [after],
  });
  return noted.length > 0;
}

export async function moveCursor(connection: Queryable, next: string): Promise<void> {
  await connection.query({
    // If the cursor stays, the rest of the same entries comes next.
    text: `UPDATE clickhouse_progress SET ledger_cursor = $1,
      pending_after = CASE WHEN ledger_cursor = $1 THEN pending_after END`,
    values: [next],
  });
}

/** Notes that the end of the ledger was reached. */
export async function noteLedgerRead(connection: Queryable, now: Date): Promise<void> {
  await connection.query({
    text: 'UPDATE clickhouse_progress SET ledger_read_at = $1',
    values: [now],
  });
}

export async function moveKept(
  connection: Queryable,
  { factsMs, hoursMs, daysMs }: Kept,
  closedMs: number,
): Promise<void> {
  await connection.query({
    text: `UPDATE clickhouse_progress
      SET facts_from = $1, hours_from = $2, days_from = $3, closed_until = $4`,
    values: [new Date(factsMs), new Date(hoursMs), new Date(daysMs), new Date(closedMs)],
  });
}

/** Announces that hours are added up. From now on, facts of these hours leave marks. */
export async function beginSealing(connection: Queryable, untilMs: number): Promise<void> {
  await connection.query({
    text: 'UPDATE clickhouse_progress SET sealing_until = greatest(sealing_until, $1::timestamptz)',
    values: [new Date(untilMs)],
  });
}

/** Notes that hours are in the tables of sums. */
export async function noteSealed(connection: Queryable, untilMs: number): Promise<void> {
  await connection.query({
    text: 'UPDATE clickhouse_progress SET sealed_until = greatest(sealed_until, $1::timestamptz)',
    values: [new Date(untilMs)],
  });
}

/** Returns a version that is higher than all before. It is taken before the rows are read that are added up. */
export async function nextVersion(connection: Queryable): Promise<bigint> {
  const [row] = await connection.query<{ version: bigint }>({
    text: `SELECT nextval('clickhouse_versions') AS version`,
    values: [],
  });
  if (!row) throw new Error('invariant: a sequence has a next value');
  return row.version;
}
