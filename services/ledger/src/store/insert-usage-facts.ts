import type { Queryable } from '@sluice/read-model';
import { usageColumnsOf, type UsageFact } from '@sluice/usage-facts';
import type { KeptTexts } from '../domain/usage/usage-details.ts';
import { givenRows } from './given-rows.ts';
import { insertRepeated } from './insert-repeated.ts';
import { storedDetails } from './stored-details.ts';

const [chargeColumns, detailColumns] = [usageColumnsOf('charge'), usageColumnsOf('detail')];
const given = givenRows({ ...chargeColumns, ...detailColumns });
const [charges, details] = [givenRows(chargeColumns), givenRows(detailColumns)];

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
 * inserted in one order, repeated answers behind all others and each in the order of the id, so that two transactions
 * never wait for each other in a circle.
 */
export async function insertUsageFacts(
  transaction: Queryable,
  facts: readonly UsageFact[],
): Promise<ReadonlySet<string>> {
  const texts: KeptTexts = new Map();
  const repeated = facts.filter(isRepeated);
  const others = repeated.length === 0 ? facts : facts.filter((fact) => !isRepeated(fact));
  // They go out together, in this order.
  const known = await Promise.all([
    others.length === 0 ? [] : transaction.query<Known>(insertOthers(others, texts)),
    repeated.length === 0 ? [] : transaction.query<Known>(insertRepeated(repeated, texts)),
  ]);
  return new Set(known.flat().map(({ usage_id }) => usage_id));
}

interface Known {
  readonly usage_id: string;
}

function isRepeated({ responseCacheSourceId }: UsageFact): boolean {
  return responseCacheSourceId !== '';
}

function insertOthers(facts: readonly UsageFact[], texts: KeptTexts) {
  const ordered = facts.toSorted((a, b) => (a.usageId < b.usageId ? -1 : 1));
  const stored = ordered.map((fact) => storedDetails(fact, texts));
  const values = [...charges.valuesOf(ordered), ...details.valuesOf(stored)];
  return { name: 'insert-usage-facts', text, values };
}
