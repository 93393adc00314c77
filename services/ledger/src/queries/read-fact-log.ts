import type { Queryable } from '@sluice/read-model';

/** A place in the log: the transaction, the place of the fact in it, and the fact. */
export interface LogPlace {
  readonly position: bigint;
  /** From 1. */
  readonly place: bigint;
  readonly usageId: string;
}

export interface LogEntry extends LogPlace {
  readonly kind: 'recorded' | 'corrected' | 'expired';
}

/** Entries of one transaction that stand behind each other. */
interface Stretch extends Pick<LogEntry, 'position' | 'kind'> {
  /** The place of the first. */
  readonly first: number;
  /** With a space between two: no id has one. */
  readonly usageIds: string;
}

/** Opens the lists of no more transactions than the answer needs. The first of them may be behind its list. */
const text = `
  SELECT position, entry_kind AS kind, first, array_to_string(usage_ids[first:last], ' ') AS "usageIds"
  FROM (
    SELECT position, entry_kind, usage_ids, first, least(facts, first - 1 + $3::integer - before) AS last
    FROM (
      SELECT *, coalesce(sum(facts - first + 1) OVER earlier, 0)::integer AS before
      FROM (
        SELECT *, CASE position WHEN $1 THEN $2::integer ELSE 1 END AS first
        FROM (SELECT * FROM fact_log WHERE position >= $1 ORDER BY position LIMIT $3::integer + 1) AS next
      ) AS begun
      WHERE first <= facts
      WINDOW earlier AS (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ) AS summed
  ) AS cut
  WHERE first <= last ORDER BY position`;

/** Reads entries from a place on, in the order of their commits. */
export async function readFactLog(
  readModel: Queryable,
  { from, limit }: { readonly from: Pick<LogPlace, 'position' | 'place'>; readonly limit: number },
): Promise<readonly LogEntry[]> {
  const values = [from.position, from.place, limit];
  const stretches = await readModel.query<Stretch>({ name: 'read-fact-log', text, values });
  return stretches.flatMap(({ position, kind, first, usageIds }) =>
    usageIds
      .split(' ')
      .map((usageId, index) => ({ position, kind, usageId, place: BigInt(first + index) })),
  );
}
