import type { Queryable } from '@sluice/read-model';
import type { UsageFact } from '@sluice/usage-facts';
import { givenRows } from './given-rows.ts';

const given = givenRows({
  usageId: 'text',
  accountId: 'text',
  keyHash: 'text',
  costNanoUsd: 'bigint',
  isByok: 'boolean',
  admittedAt: 'timestamptz',
  feeNanoUsd: 'bigint',
  freeNanoUsd: 'bigint',
  place: 'bigint',
});

const text = `
  SELECT given.place
  FROM ${given.from}
  JOIN usage_facts AS counted USING (usage_id)
  LEFT JOIN corrections AS correction USING (usage_id)
  WHERE (given.account_id, given.key_hash, given.is_byok, given.admitted_at, given.fee_nano_usd,
      given.free_nano_usd)
    <> (counted.account_id, counted.key_hash, counted.is_byok, counted.admitted_at, counted.fee_nano_usd,
      counted.free_nano_usd)
    OR given.cost_nano_usd <> coalesce(estimated_cost_nano_usd, counted.cost_nano_usd)`;

/** Finds those facts whose ids are counted already with other charges. */
export async function findConflictingUsage(
  transaction: Queryable,
  facts: readonly UsageFact[],
): Promise<ReadonlySet<UsageFact>> {
  if (facts.length === 0) return new Set();
  // Several of them may have one id.
  const values = given.valuesOf(facts.map((fact, index) => ({ ...fact, place: index })));
  const rows = await transaction.query<{ place: bigint }>({
    name: 'find-conflicting-usage',
    text,
    values,
  });
  const places = new Set(rows.map(({ place }) => Number(place)));
  return new Set(facts.filter((_fact, index) => places.has(index)));
}
