import type { Queryable } from '@sluice/read-model';
import { readFact } from '@sluice/usage-facts';
import type { UsageFact } from '../domain/usage/usage-fact.ts';

const text = `
  SELECT fact FROM estimates
  WHERE usage_id = ANY($1) AND corrected_at IS NULL
  ORDER BY usage_id FOR UPDATE`;

/** Returns the open estimates among the ids, and locks them until the transaction ends. */
export async function lockEstimates(
  transaction: Queryable,
  usageIds: readonly string[],
): Promise<readonly UsageFact[]> {
  const rows = await transaction.query<{ fact: string }>({
    name: 'lock-estimates',
    text,
    values: [usageIds],
  });
  return rows.map(({ fact }) => readFact(JSON.parse(fact)));
}
