import type { Queryable } from '@sluice/read-model';
import { byUsageId, readTogether } from './read-by-usage-id.ts';

/** Facts that were admitted on one day and counted at one time. */
export interface FactsOfDay {
  readonly usageIds: readonly string[];
  /** `2026-11-18` */
  readonly day: string;
  readonly isOperatorsOwn: boolean;
  readonly countedAt: Date;
}

/** No id has a space. */
const text = `
  SELECT (admitted_at AT TIME ZONE 'UTC')::date::text AS day,
    outcome = 'failed' AND upstream_cost_nano_usd IS NOT NULL AND cost_nano_usd = 0 AS "isOperatorsOwn",
    date_trunc('milliseconds', counted_at + interval '999 microseconds') AS "countedAt",
    string_agg(usage_id, ' ') AS "usageIds"
  FROM usage_facts WHERE ${byUsageId} GROUP BY 1, 2, 3`;

/**
 * Reads the days of facts and when they were counted, in no order. A time is rounded up to a millisecond: it is not
 * after an instant of milliseconds unless the exact one is.
 */
export async function readFactDays(
  readModel: Queryable,
  usageIds: readonly string[],
): Promise<readonly FactsOfDay[]> {
  const idsOf = (row: FactsOfDay) => row.usageIds;
  return await readTogether(usageIds, idsOf, async (ids, { from, to }) => {
    const values = [ids, from, to];
    const rows = await readModel.query<
      Omit<FactsOfDay, 'usageIds'> & { readonly usageIds: string }
    >({
      name: 'read-fact-days',
      text,
      values,
    });
    return rows.map((row) => ({ ...row, usageIds: row.usageIds.split(' ') }));
  });
}
