import type { UsageRow } from '../domain/usage-row.ts';

export type Revision = Pick<UsageRow, 'revision' | 'countedAtMs'>;

export interface SortedRevisions<Row> {
  /** Rows of facts that have none. */
  readonly fresh: readonly Row[];
  /** Rows that take the place of an older revision. */
  readonly newer: readonly Row[];
  /** Rows of the stored revision, which the ledger had counted long before. */
  readonly sooner: readonly Row[];
  /** Revisions that were known before a newer one was. */
  readonly past: readonly Row[];
}

/** The bus brings what the ledger has counted within this time. Then both times are as good. */
export const countedLaterMsMax = 10_000;

/** Sorts the rows of a batch by what is stored of their facts: the newest revision, and when it was counted. */
export function sortRevisions<Row extends Revision & Pick<UsageRow, 'factId'>>(
  rows: readonly Row[],
  stored: ReadonlyMap<string, Revision>,
): SortedRevisions<Row> {
  const newest = new Map<string, Row>();
  for (const row of rows) {
    const other = newest.get(row.factId);
    if (!other || isBehind(other, row)) newest.set(row.factId, row);
  }
  const [fresh, newer, sooner]: [Row[], Row[], Row[]] = [[], [], []];
  for (const row of newest.values()) {
    const known = stored.get(row.factId);
    if (!known) fresh.push(row);
    else if (row.revision > known.revision) newer.push(row);
    else if (row.revision === known.revision && isMuchSooner(row, known)) sooner.push(row);
  }
  const past = rows.filter((row) =>
    [newest.get(row.factId), stored.get(row.factId)].some(
      (next) => next && row.revision < next.revision && row.countedAtMs < next.countedAtMs,
    ),
  );
  return { fresh, newer, sooner, past };
}

const isBehind = (one: Revision, other: Revision) =>
  one.revision < other.revision ||
  (one.revision === other.revision && other.countedAtMs < one.countedAtMs);

const isMuchSooner = (one: Revision, stored: Revision) =>
  one.countedAtMs + countedLaterMsMax < stored.countedAtMs;
