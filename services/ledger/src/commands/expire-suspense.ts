import type { Database, Queryable } from '@sluice/read-model';
import { expiryTransfers } from '../domain/transfer/transfers.ts';
import { type Expiry, expiryOf } from '../domain/usage/expiry.ts';
import { suspendedFacts } from '../domain/usage/suspended.ts';
import { tally } from '../domain/usage/tally.ts';
import { correctCounters } from '../store/correct-counters.ts';
import { insertTransfers } from '../store/insert-transfers.ts';
import { lockEstimates } from '../store/lock-estimates.ts';
import { logFacts } from '../store/log-facts.ts';
import { writeExpiries } from '../store/write-expiries.ts';

export const expiriesMax = 500;

const old = `
  SELECT usage_id FROM estimates
  WHERE corrected_at IS NULL AND suspended_nano_usd > 0
    AND opened_at <= now() - make_interval(hours => $1)
  ORDER BY opened_at LIMIT ${expiriesMax}`;

/**
 * Moves the oldest amounts that customers have had in suspense for that many hours to the operator's suspense: no
 * limit counts them any longer. Returns the expiries, at most `expiriesMax`. The clock is the database's, so that all
 * replicas agree.
 */
export async function expireSuspense(
  database: Pick<Database, 'transaction'>,
  hours: number,
): Promise<readonly Expiry[]> {
  return await database.transaction(async (transaction) => {
    const found = await transaction.query<{ usage_id: string }>({
      name: 'find-old-suspense',
      text: old,
      values: [hours],
    });
    if (found.length === 0) return [];
    const usageIds = found.map(({ usage_id }) => usage_id);
    const facts = await lockEstimates(transaction, usageIds);
    // Another replica may have moved some while this one waited for the locks.
    const expiries = facts.filter((fact) => fact.suspendedNanoUsd > 0n).map(expiryOf);
    await postExpiries(transaction, expiries);
    return expiries;
  });
}

async function postExpiries(transaction: Queryable, expiries: readonly Expiry[]): Promise<void> {
  if (expiries.length === 0) return;
  await writeExpiries(transaction, expiries);
  await insertTransfers(transaction, expiries.flatMap(expiryTransfers));
  const emptied = suspendedFacts(expiries.map(({ fact }) => fact)).map((fact) => ({
    ...fact,
    costNanoUsd: -fact.costNanoUsd,
  }));
  await correctCounters(transaction, 'suspended', tally(emptied));
  await logFacts(
    transaction,
    'expired',
    expiries.map(({ fact }) => fact.usageId),
  );
}
