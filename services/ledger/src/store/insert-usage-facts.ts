import type { Queryable } from '@sluice/read-model';
import { usageColumns, type UsageFact } from '@sluice/usage-facts';
import type { KeptTexts } from '../domain/usage/usage-details.ts';
import { givenRows } from './given-rows.ts';
import { storedDetails } from './stored-details.ts';

const given = givenRows(usageColumns);

/** usage_id is the first field of the table. */
const text = `
  WITH inserted AS (
    INSERT INTO usage_facts (${given.columns})
    SELECT ${given.selected} FROM ${given.from}
    ON CONFLICT DO NOTHING
    RETURNING usage_id
  )
  SELECT usage_id FROM unnest($1::text[]) AS given (usage_id)
  WHERE usage_id NOT IN (SELECT usage_id FROM inserted)`;

/**
 * Inserts those that are not there yet; the answer is the ids of the others, which are few. A fact is there if its
 * partition has the id: a fact that comes again has the same admission. Facts must have distinct ids: they are
 * inserted in the order of the id, so that two transactions never wait for each other in a circle.
 */
export async function insertUsageFacts(
  transaction: Queryable,
  facts: readonly UsageFact[],
): Promise<ReadonlySet<string>> {
  if (facts.length === 0) return new Set();
  const texts: KeptTexts = new Map();
  const ordered = facts.toSorted((a, b) => (a.usageId < b.usageId ? -1 : 1));
  const rows = await transaction.query<{ usage_id: string }>({
    name: 'insert-usage-facts',
    text,
    values: given.valuesOf(ordered.map((fact) => ({ ...fact, ...storedDetails(fact, texts) }))),
  });
  return new Set(rows.map(({ usage_id }) => usage_id));
}
