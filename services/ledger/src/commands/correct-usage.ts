import { costNanoUsd, pricesOfTexts, uncachedUsage } from '@sluice/inference';
import type { Queryable } from '@sluice/read-model';
import type { UsageFact } from '@sluice/usage-facts';
import { correctionTransfers } from '../domain/transfer/transfers.ts';
import { tallyActivity } from '../domain/usage/activity.ts';
import {
  type Correction,
  correctionOf,
  type CorrectionSource,
  differenceOf,
  type Truth,
} from '../domain/usage/correction.ts';
import { suspendedFacts } from '../domain/usage/suspended.ts';
import { tally } from '../domain/usage/tally.ts';
import { addToActivity } from '../store/add-to-activity.ts';
import { correctCounters } from '../store/correct-counters.ts';
import { insertTransfers } from '../store/insert-transfers.ts';
import { lockEstimates } from '../store/lock-estimates.ts';
import { logFacts } from '../store/log-facts.ts';
import { writeCorrections } from '../store/write-corrections.ts';

/** A report of what was really served in place of an estimate. */
export interface Testimony extends Omit<Truth, 'costNanoUsd' | 'uncachedNanoUsd'> {
  readonly usageId: string;
  /** The provider charges nothing for it. */
  readonly isFree: boolean;
  /** Searches of the provider. Absent: none. */
  readonly webSearches?: bigint | undefined;
  /** The provider's charge. Absent or null: the tokens at the prices of the estimate. */
  readonly costNanoUsd?: bigint | null | undefined;
}

/**
 * Puts what was served in the place of estimates that are open, at the prices of their time, in the
 * caller's transaction; the answer are those that were. Ids must be distinct; an estimate that is corrected
 * already, or is none, is passed over.
 */
export async function correctUsage(
  transaction: Queryable,
  testimonies: readonly Testimony[],
  source: CorrectionSource,
): Promise<readonly Correction[]> {
  const said = new Map(testimonies.map((testimony) => [testimony.usageId, testimony]));
  const facts = await lockEstimates(transaction, [...said.keys()]);
  const corrections = facts.flatMap((fact) => {
    const testimony = said.get(fact.usageId);
    return testimony ? [correctionOf(fact, priced(fact, testimony), source)] : [];
  });
  await postCorrections(transaction, corrections);
  return corrections;
}

/** Writes corrections of estimates that the same transaction has locked. Nothing may follow in the transaction. */
export async function postCorrections(
  transaction: Queryable,
  corrections: readonly Correction[],
): Promise<void> {
  if (corrections.length === 0) return;
  const differences = corrections.map(differenceOf);
  await writeCorrections(transaction, corrections);
  await insertTransfers(transaction, corrections.flatMap(correctionTransfers));
  await correctCounters(transaction, 'counters', tally(differences));
  const emptied = suspendedFacts(corrections.map(({ fact }) => fact)).map((fact) => ({
    ...fact,
    costNanoUsd: -fact.costNanoUsd,
  }));
  await correctCounters(transaction, 'suspended', tally(emptied));
  // The request itself is counted already.
  const activity = tallyActivity(differences).map((row) => ({ ...row, requests: 0n }));
  await addToActivity(transaction, activity);
  await logFacts(
    transaction,
    'corrected',
    corrections.map(({ fact }) => fact.usageId),
  );
}

/** Returns the truth at the prices of its time. */
export function priced(fact: UsageFact, testimony: Testimony): Truth {
  const prices = pricesOfTexts(fact.prices);
  if (!prices) throw new Error(`the prices of ${fact.usageId} are damaged`);
  const usage = {
    inputTokens: Number(testimony.inputTokens),
    cachedTokens: Number(testimony.cachedTokens),
    outputTokens: Number(testimony.outputTokens),
    reasoningTokens: Number(testimony.reasoningTokens),
    webSearches: Number(testimony.webSearches ?? 0n),
  };
  if (testimony.isFree) return { ...testimony, costNanoUsd: 0n };
  const priceNanoUsd = costNanoUsd(usage, prices);
  const charged = testimony.costNanoUsd ?? priceNanoUsd;
  const uncached = uncachedUsage(usage);
  // An amount of its own says nothing about the share of a cache.
  const isPriced = charged === priceNanoUsd;
  const uncachedNanoUsd = uncached && isPriced ? costNanoUsd(uncached, prices) : undefined;
  return { ...testimony, costNanoUsd: charged, uncachedNanoUsd };
}
