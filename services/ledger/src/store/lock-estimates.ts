import type { Queryable } from '@sluice/read-model';
import { readFact, type UsageFact } from '@sluice/usage-facts';

const text = `
  SELECT fact, suspended_nano_usd AS "suspendedNanoUsd",
    operator_suspended_nano_usd AS "operatorSuspendedNanoUsd"
  FROM estimates
  WHERE usage_id = ANY($1) AND corrected_at IS NULL
  ORDER BY usage_id FOR UPDATE`;

interface Row extends Pick<UsageFact, 'suspendedNanoUsd' | 'operatorSuspendedNanoUsd'> {
  readonly fact: string;
}

/**
 * Returns the open estimates among the ids, and locks them until the transaction ends. Each fact is as it was counted,
 * with the amounts that are in suspense now: an expiry moves them.
 */
export async function lockEstimates(
  transaction: Queryable,
  usageIds: readonly string[],
): Promise<readonly UsageFact[]> {
  const rows = await transaction.query<Row>({ name: 'lock-estimates', text, values: [usageIds] });
  return rows.map(({ fact, ...suspense }) => ({ ...readFact(JSON.parse(fact)), ...suspense }));
}
