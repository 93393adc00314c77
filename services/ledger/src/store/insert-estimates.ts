import type { Queryable } from '@sluice/read-model';
import type { UsageFact } from '../domain/usage/usage-fact.ts';
import { usageMessage } from '../messages/usage-message.ts';

const text = `
  INSERT INTO estimates
    (usage_id, account_id, replica, reason, suspended_nano_usd, claimed_nano_usd, fact,
     operator_suspended_nano_usd, upstream_id)
  SELECT * FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[],
    $8::bigint[], $9::text[]
  )`;

/** Of facts that were inserted in the same transaction: those that a correction may take the place of. */
export async function insertEstimates(
  transaction: Queryable,
  facts: readonly UsageFact[],
): Promise<void> {
  const estimates = facts.filter(({ estimateReason }) => estimateReason !== '');
  if (estimates.length === 0) return;
  await transaction.query({
    name: 'insert-estimates',
    text,
    values: [
      estimates.map(({ usageId }) => usageId),
      estimates.map(({ accountId }) => accountId),
      estimates.map(({ replica }) => replica),
      estimates.map(({ estimateReason }) => estimateReason),
      estimates.map(({ suspendedNanoUsd }) => suspendedNanoUsd),
      estimates.map(({ claimedNanoUsd }) => claimedNanoUsd),
      estimates.map((fact) => JSON.stringify(usageMessage(fact))),
      estimates.map(({ operatorSuspendedNanoUsd }) => operatorSuspendedNanoUsd),
      estimates.map(({ upstreamId }) => upstreamId),
    ],
  });
}
