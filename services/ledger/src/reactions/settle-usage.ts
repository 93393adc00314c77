import type { Queryable } from '@sluice/read-model';
import type { UsageFact } from '@sluice/usage-facts';
import { leasePayments } from '../domain/lease/lease-payments.ts';
import { usageTransfers } from '../domain/transfer/transfers.ts';
import { tallyActivity } from '../domain/usage/activity.ts';
import { suspendedFacts } from '../domain/usage/suspended.ts';
import { tally, tallyWithRequests } from '../domain/usage/tally.ts';
import { sequenceRanges } from '../domain/watermark/sequence-ranges.ts';
import type { Decoded } from '../messages/decode.ts';
import { addToActivity } from '../store/add-to-activity.ts';
import { addToCounters } from '../store/add-to-counters.ts';
import { readArchived } from '../store/archived-days.ts';
import { countAgainstLeases } from '../store/count-against-leases.ts';
import { forgetMinutes } from '../store/forget-minutes.ts';
import { findConflictingUsage } from '../store/find-conflicting-usage.ts';
import { type DeadLetter, insertDeadLetters } from '../store/insert-dead-letters.ts';
import { insertEstimates } from '../store/insert-estimates.ts';
import { insertTransfers } from '../store/insert-transfers.ts';
import { insertUsageFacts } from '../store/insert-usage-facts.ts';
import { logFacts } from '../store/log-facts.ts';
import { removeArchivedFacts } from '../store/remove-archived-facts.ts';
import { settleSequences } from '../store/settle-sequences.ts';
import type { Outcome } from './settle-batch.ts';

/**
 * Counts each fact once, takes its cost off the leases that paid, moves the watermarks and keeps what
 * cannot be counted, all in the caller's transaction. Only rows that were inserted reach counters and
 * leases.
 */
export async function settleUsage(
  transaction: Queryable,
  decoded: readonly Decoded<UsageFact>[],
): Promise<Outcome> {
  const usable = decoded.filter((one) => 'fact' in one);
  const dead = decoded.filter((one) => 'problem' in one);
  const facts = usable.map(({ fact }) => fact);
  const distinct = firstOfEach(facts);
  const counted = await countOnce(transaction, distinct);
  const repeated = counted.length === facts.length ? [] : without(facts, counted);
  const conflicting = await findConflictingUsage(transaction, repeated);
  const places = [...usable.map(({ place }) => place), ...dead.map(({ place }) => place)];
  // None asks what another answers: they go out together, in this order.
  await Promise.all([
    insertEstimates(transaction, counted),
    insertTransfers(transaction, counted.flatMap(usageTransfers)),
    addToCounters(transaction, 'counters', tallyWithRequests(counted)),
    addToCounters(transaction, 'suspended', tally(suspendedFacts(counted))),
    addToActivity(transaction, tallyActivity(counted)),
    countAgainstLeases(transaction, leasePayments(counted)),
    settleSequences(transaction, sequenceRanges(places.filter((place) => place !== undefined))),
    forgetMinutes(transaction, counted),
    insertDeadLetters(transaction, [
      ...dead.map(({ message, problem }) => ({ message, reason: problem })),
      ...usable
        .filter(({ fact }) => conflicting.has(fact))
        .map(({ message }) => ({ message, reason: 'its usage_id is counted with other values' })),
      ...counted.filter(({ providerUsage }) => providerUsage.length > 0).map(incredibleUsage),
    ]),
    logFacts(
      transaction,
      'recorded',
      counted.map(({ usageId }) => usageId),
    ),
  ]);
  return {
    counted: counted.length,
    duplicates: repeated.length - conflicting.size,
    deadLetters: dead.length + conflicting.size,
    accountIds: new Set(counted.map(({ accountId }) => accountId)),
  };
}

/** Inserts the facts that were never counted, and returns them. */
async function countOnce(
  transaction: Queryable,
  facts: readonly UsageFact[],
): Promise<readonly UsageFact[]> {
  // They go out together: the second is carried out after the first.
  const [known, archived] = await Promise.all([
    insertUsageFacts(transaction, facts),
    readArchived(transaction),
  ]);
  const inserted = facts.filter(({ usageId }) => !known.has(usageId));
  const again = await removeArchivedFacts(transaction, inserted, archived);
  return again.size === 0 ? inserted : inserted.filter(({ usageId }) => !again.has(usageId));
}

/** One per usageId. */
function firstOfEach(facts: readonly UsageFact[]): readonly UsageFact[] {
  const first = new Map<string, UsageFact>();
  for (const fact of facts) if (!first.has(fact.usageId)) first.set(fact.usageId, fact);
  return first.size === facts.length ? facts : [...first.values()];
}

function without(facts: readonly UsageFact[], others: readonly UsageFact[]): readonly UsageFact[] {
  const left = new Set(facts);
  for (const other of others) left.delete(other);
  return [...left];
}

/** Keeps the raw usage of a provider, because its fact is charged by other counts. */
function incredibleUsage({ usageId, estimateReason, providerUsage }: UsageFact): DeadLetter {
  return {
    message: { subject: `provider.usage.${usageId}`, id: usageId, bytes: providerUsage },
    reason: `the usage that the provider told cannot be charged (${estimateReason})`,
  };
}
