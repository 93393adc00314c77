import { Fault } from '@sluice/errors';
import type { Queryable } from '@sluice/read-model';
import { dayOf } from '../instants.ts';
import type { Kept } from '../plan.ts';

export interface Progress {
  /** Another one after the tables were changed for others. */
  readonly generation: string;
  readonly ledgerCursor: string;
  readonly ledgerReadAt: Date | null;
  readonly kept: Kept;
}

interface Stored {
  readonly generation: string;
  readonly ledgerCursor: string;
  readonly ledgerReadAt: Date | null;
  readonly factsFrom: Date;
  readonly hoursFrom: Date;
  readonly daysFrom: Date;
}

const selected = `SELECT generation::text, ledger_cursor AS "ledgerCursor", ledger_read_at AS "ledgerReadAt",
  facts_from::timestamptz AS "factsFrom", hours_from AS "hoursFrom", days_from AS "daysFrom" FROM progress`;

/** Makes the row of the first start. */
export async function beginProgress(connection: Queryable, kept: Kept): Promise<void> {
  await connection.query({
    text: `INSERT INTO progress (ledger_cursor, facts_from, hours_from, days_from)
      VALUES ('', $1::date, $2::timestamptz, $3::timestamptz) ON CONFLICT DO NOTHING`,
    values: [dayOf(kept.factsMs), new Date(kept.hoursMs), new Date(kept.daysMs)],
  });
}

/**
 * Reads how far the store is. With a lock, batches of all replicas are applied one after the other. Throws unavailable
 * before the first start has made the row.
 */
export async function readProgress(
  connection: Queryable,
  { lock }: { readonly lock: boolean },
): Promise<Progress> {
  const [stored] = await connection.query<Stored>({
    text: lock ? `${selected} FOR UPDATE` : selected,
    values: [],
  });
  if (!stored)
    throw new Fault('unavailable', { message: 'Analytics has just been started: ask again' });
  const { generation, ledgerCursor, ledgerReadAt } = stored;
  const kept = {
    factsMs: stored.factsFrom.getTime(),
    hoursMs: stored.hoursFrom.getTime(),
    daysMs: stored.daysFrom.getTime(),
  };
  return { generation, ledgerCursor, ledgerReadAt, kept };
}

export async function moveCursor(connection: Queryable, next: string): Promise<void> {
  await connection.query({ text: 'UPDATE progress SET ledger_cursor = $1', values: [next] });
}

/** Notes that the end of the ledger was reached. */
export async function noteLedgerRead(connection: Queryable, now: Date): Promise<void> {
  await connection.query({ text: 'UPDATE progress SET ledger_read_at = $1', values: [now] });
}

export async function moveKept(connection: Queryable, kept: Kept): Promise<void> {
  await connection.query({
    text: `UPDATE progress SET facts_from = $1::date, hours_from = $2::timestamptz, days_from = $3::timestamptz`,
    values: [dayOf(kept.factsMs), new Date(kept.hoursMs), new Date(kept.daysMs)],
  });
}
