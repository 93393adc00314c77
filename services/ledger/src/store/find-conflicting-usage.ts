import type { Queryable } from '@sluice/read-model';
import type { UsageFact } from '../domain/usage/usage-fact.ts';

const text = `
  SELECT given.ordinal
  FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::bigint[], $5::boolean[], $6::timestamptz[],
    $7::bigint[], $8::bigint[]
  ) WITH ORDINALITY
    AS given (usage_id, account_id, key_hash, cost_nano_usd, is_byok, admitted_at, fee_nano_usd,
      free_nano_usd, ordinal)
  JOIN usage_facts AS counted USING (usage_id)
  LEFT JOIN corrections AS correction USING (usage_id)
  WHERE (given.account_id, given.key_hash, given.is_byok, given.admitted_at, given.fee_nano_usd,
      given.free_nano_usd)
    <> (counted.account_id, counted.key_hash, counted.is_byok, counted.admitted_at, counted.fee_nano_usd,
      counted.free_nano_usd)
    OR given.cost_nano_usd <> coalesce(estimated_cost_nano_usd, counted.cost_nano_usd)`;

/** Of facts whose ids are counted already: those that would have been charged otherwise. */
export async function findConflictingUsage(
  transaction: Queryable,
  facts: readonly UsageFact[],
): Promise<ReadonlySet<UsageFact>> {
  if (facts.length === 0) return new Set();
  const rows = await transaction.query<{ ordinal: bigint }>({
    name: 'find-conflicting-usage',
    text,
    values: [
      facts.map(({ usageId }) => usageId),
      facts.map(({ accountId }) => accountId),
      facts.map(({ keyHash }) => keyHash),
      facts.map(({ costNanoUsd }) => costNanoUsd),
      facts.map(({ isByok }) => isByok),
      facts.map(({ admittedAt }) => admittedAt),
      facts.map(({ feeNanoUsd }) => feeNanoUsd),
      facts.map(({ freeNanoUsd }) => freeNanoUsd),
    ],
  });
  const ordinals = new Set(rows.map(({ ordinal }) => Number(ordinal)));
  return new Set(facts.filter((_fact, index) => ordinals.has(index + 1)));
}
