import { costNanoUsd, priceTexts } from '@sluice/inference';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { type ByokCharge, byokChargeOf } from './byok-charge.ts';
import type { Outcome } from './outcome.ts';
import type { Intent } from './record.ts';

/**
 * Why counts are ours. interrupted: a crash cut it off. no_usage: the upstream gave none. absurd_usage: it gave
 * one that cannot be true.
 */
export type EstimateReason = 'interrupted' | 'no_usage' | 'absurd_usage';

/** What an attempt costs, and what of its hold stays in suspense until somebody knows better. */
export type Charge = Pick<
  UsageRecorded,
  | 'costNanoUsd'
  | 'estimated'
  | 'holdNanoUsd'
  | 'suspendedNanoUsd'
  | 'claimedNanoUsd'
  | 'estimateReason'
  | 'prices'
  | 'providerUsage'
  | 'freeRequestLeaseNumbers'
> &
  ByokCharge;

const providerUsageBytesMax = 4_096;

/**
 * More than was held is never charged: no limit has room for it. Where nobody has told what was served and the
 * provider may have served more, the rest of the hold is neither charged nor free.
 */
export function chargeOf(intent: Intent, ended: Outcome): Charge {
  return {
    ...chargedOf(intent, ended),
    freeRequestLeaseNumbers: [...(intent.freeRequestLeaseNumbers ?? [])],
  };
}

function chargedOf(intent: Intent, ended: Outcome): Omit<Charge, 'freeRequestLeaseNumbers'> {
  const billed = billedNanoUsd(intent, ended);
  const hold = intent.holdNanoUsd;
  if (intent.byok) {
    const list = listPriceOf(intent, ended, billed);
    return { ...list, ...byokChargeOf(intent.byok, list.costNanoUsd) };
  }
  const claimed = hold !== undefined && billed > hold ? billed - hold : 0n;
  const cost = billed - claimed;
  const estimateReason = claimed > 0n ? 'above_hold' : reasonOf(ended);
  const isOpen = estimateReason === 'interrupted' || estimateReason === 'absurd_usage';
  return {
    costNanoUsd: cost,
    estimated: ended.isEstimated || claimed > 0n,
    holdNanoUsd: hold ?? 0n,
    suspendedNanoUsd: isOpen && hold !== undefined ? hold - cost : 0n,
    claimedNanoUsd: claimed,
    estimateReason,
    prices: estimateReason === '' ? {} : { ...priceTexts(intent.prices) },
    providerUsage: told(
      ended.providerUsage ?? (claimed > 0n ? JSON.stringify(ended.usage) : undefined),
    ),
    isByok: false,
    credentialId: '',
    feeNanoUsd: 0n,
    freeNanoUsd: 0n,
    feeLeaseNumbers: [],
    allowanceLeaseNumber: 0n,
  };
}

/**
 * The provider charges the account itself, and nobody else may ask it: what was seen is the list price that
 * counts, within what was held, and no suspense waits for a better word.
 */
function listPriceOf(
  { holdNanoUsd = 0n }: Intent,
  ended: Outcome,
  billedNanoUsd: bigint,
): Omit<Charge, keyof ByokCharge | 'freeRequestLeaseNumbers'> {
  return {
    costNanoUsd: billedNanoUsd < holdNanoUsd ? billedNanoUsd : holdNanoUsd,
    estimated: ended.isEstimated || billedNanoUsd > holdNanoUsd,
    holdNanoUsd,
    suspendedNanoUsd: 0n,
    claimedNanoUsd: 0n,
    estimateReason: '',
    prices: {},
    providerUsage: told(ended.providerUsage),
  };
}

const nothingTold = Buffer.alloc(0);

function told(providerUsage: string | undefined): Buffer {
  if (providerUsage === undefined) return nothingTold;
  return Buffer.from(providerUsage).subarray(0, providerUsageBytesMax);
}

/**
 * What was served is billed, also when it broke off or the client left: the provider bills it too.
 * Two kinds are free: nothing came out and no end either, and a generation that the provider itself
 * declared failed. Their tokens stand in the fact at no cost.
 */
export function billedNanoUsd(intent: Pick<Intent, 'prices'>, ended: Outcome): bigint {
  const { usage, finishReason, isDeclaredFailure } = ended;
  if (isDeclaredFailure || (usage.outputTokens === 0 && finishReason === '')) return 0n;
  return costNanoUsd(usage, intent.prices);
}

/** What the provider declared failed is free, whatever it used: there is nothing to correct. */
function reasonOf({ isEstimated, isDeclaredFailure, estimateReason }: Outcome): string {
  if (!isEstimated || isDeclaredFailure) return '';
  return estimateReason ?? 'no_usage';
}
