import type { Queryable } from '@sluice/read-model';
import { type UsageFact, writeFact } from '@sluice/usage-facts';
import { givenRows } from './given-rows.ts';

const given = givenRows({
  usageId: 'text',
  accountId: 'text',
  replica: 'text',
  reason: 'text',
  suspendedNanoUsd: 'bigint',
  claimedNanoUsd: 'bigint',
  fact: 'text',
  operatorSuspendedNanoUsd: 'bigint',
  upstreamId: 'text',
});

const text = `INSERT INTO estimates (${given.columns}) SELECT * FROM ${given.from}`;

/** Inserts those facts of the same transaction that a correction may replace. */
export async function insertEstimates(
  transaction: Queryable,
  facts: readonly UsageFact[],
): Promise<void> {
  const estimates = facts.filter(({ estimateReason }) => estimateReason !== '');
  if (estimates.length === 0) return;
  const rows = estimates.map((fact) => ({
    ...fact,
    reason: fact.estimateReason,
    fact: JSON.stringify(writeFact(fact)),
  }));
  await transaction.query({ name: 'insert-estimates', text, values: given.valuesOf(rows) });
}
