import type { Queryable } from '@sluice/read-model';
import { byUsageId, readByUsageId } from './read-by-usage-id.ts';

export interface FactDay {
  readonly usageId: string;
  /** `2026-11-18` */
  readonly day: string;
  readonly isOperatorsOwn: boolean;
  readonly countedAt: Date;
}

const text = `
  SELECT usage_id AS "usageId", to_char(admitted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
    outcome = 'failed' AND upstream_cost_nano_usd IS NOT NULL AND cost_nano_usd = 0 AS "isOperatorsOwn",
    date_trunc('milliseconds', counted_at + interval '999 microseconds') AS "countedAt"
  FROM usage_facts WHERE ${byUsageId}`;

/**
 * Reads the days of facts and when they were counted, in no order. A time is rounded up to a millisecond: it is not
 * after an instant of milliseconds unless the exact one is.
 */
export async function readFactDays(
  readModel: Queryable,
  usageIds: readonly string[],
): Promise<readonly FactDay[]> {
  return await readByUsageId(usageIds, (ids, { from, to }) =>
    readModel.query<FactDay>({ name: 'read-fact-days', text, values: [ids, from, to] }),
  );
}
