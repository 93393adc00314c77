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

/** Opens the lists of no more transactions than the answer needs. */
const text = `
  SELECT position, place, entry_kind AS kind, usage_id AS "usageId"
  FROM (
    SELECT position, entry_kind, usage_ids,
      sum(facts) OVER (ORDER BY position) - facts AS facts_before
    FROM (SELECT * FROM fact_log WHERE position >= $1 ORDER BY position LIMIT $3) AS next
  ) AS logged CROSS JOIN LATERAL unnest(usage_ids) WITH ORDINALITY AS entry (usage_id, place)
  WHERE facts_before < $2 + $3 AND (position, place) >= ($1, $2)
  ORDER BY position, place LIMIT $3`;

/** Reads entries from a place on, in the order of their commits. */
export async function readFactLog(
  readModel: Queryable,
  { from, limit }: { readonly from: Pick<LogPlace, 'position' | 'place'>; readonly limit: number },
): Promise<readonly LogEntry[]> {
  const values = [from.position, from.place, limit];
  return await readModel.query<LogEntry>({ name: 'read-fact-log', text, values });
}
