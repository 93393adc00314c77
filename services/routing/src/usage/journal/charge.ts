import { priceTexts } from '@sluice/inference';
import { billedNanoUsd, servedNanoUsd, uncachedNanoUsd } from '@sluice/rating';
import {
  cacheDiscountNanoUsd,
  type DataDiscount,
  discountNanoUsd,
  type UsageFact,
} from '@sluice/usage-facts';
import { type ByokCharge, byokChargeOf } from '../../byok/byok-charge.ts';
import type { Outcome } from './outcome.ts';
import type { IntentByok } from '../../byok/byok-record.ts';
import type { Intent } from './record.ts';

/** The cost of an attempt, and the part of its hold that stays in suspense until a correction. */
export type Charge = Pick<
  UsageFact,
  | 'costNanoUsd'
  | 'upstreamCostNanoUsd'
  | 'estimated'
  | 'holdNanoUsd'
  | 'suspendedNanoUsd'
  | 'operatorSuspendedNanoUsd'
  | 'claimedNanoUsd'
  | 'estimateReason'
  | 'prices'
  | 'providerUsage'
  | 'freeRequestLeaseNumbers'
  | 'cacheDiscountNanoUsd'
> &
  ByokCharge &
  DataDiscount;

const providerUsageBytesMax = 4_096;

/**
 * Returns the charge of an attempt (docs/billing.md). The charge never exceeds the hold, because limits reserve only
 * the hold. If the provider may have served more than routing read, the rest of the hold is in suspense. It counts
 * against the customer if the customer pays, and otherwise against the operator. A data discount is taken off the
 * charge, and the operator bears it.
 */
export function chargeOf(intent: Intent, ended: Outcome): Charge {
  const { freeRequestLeaseNumbers = [] } = intent;
  const served = servedNanoUsd(intent.prices, ended);
  const billed = billedNanoUsd(intent.prices, ended);
  if (intent.byok) return byokCharge(intent, intent.byok, ended);
  const hold = intent.holdNanoUsd;
  const claimed = hold !== undefined && billed > hold ? billed - hold : 0n;
  const full = billed - claimed;
  const upstreamCost = claimed > 0n ? full : served;
  const estimateReason = claimed > 0n ? 'above_hold' : reasonOf(ended);
  const isCustomers = isPaidByCustomer(ended);
  const known = isCustomers ? full : upstreamCost;
  const isOpen = openReasons.has(estimateReason) && hold !== undefined && hold > known;
  const rest = isOpen ? hold - known : 0n;
  const discount = discountOf(intent, full);
  const cost = full - (discount?.dataDiscountNanoUsd ?? 0n);
  return {
    freeRequestLeaseNumbers,
    costNanoUsd: cost,
    cacheDiscountNanoUsd: cacheDiscountNanoUsd(cost, {
      uncachedNanoUsd: uncachedNanoUsd(intent.prices, ended),
      chargeableNanoUsd: hold,
      dataDiscountBasisPoints: discount?.dataDiscountBasisPoints,
    }),
    upstreamCostNanoUsd: upstreamCostOf(ended, { cost, upstreamCost }),
    estimated: ended.isEstimated || estimateReason !== '',
    holdNanoUsd: hold ?? 0n,
    suspendedNanoUsd: isCustomers ? rest : 0n,
    operatorSuspendedNanoUsd: isCustomers ? 0n : rest,
    claimedNanoUsd: claimed,
    estimateReason,
    prices: estimateReason === '' ? {} : priceTexts(intent.prices),
    providerUsage: bytesOf(
      ended.providerUsage ?? (claimed > 0n ? JSON.stringify(ended.usage) : undefined),
    ),
    isByok: false,
    credentialId: '',
    feeNanoUsd: 0n,
    freeNanoUsd: 0n,
    feeLeaseNumbers: [],
    allowanceLeaseNumber: 0n,
    ...discount,
  };
}

function discountOf(
  { dataDiscountBasisPoints }: Intent,
  fullNanoUsd: bigint,
): DataDiscount | undefined {
  if (dataDiscountBasisPoints === undefined) return undefined;
  const rate = BigInt(dataDiscountBasisPoints);
  const dataDiscountNanoUsd = discountNanoUsd(fullNanoUsd, rate);
  return { dataDiscountNanoUsd, dataDiscountBasisPoints: rate };
}

/** Reasons with which the provider may have served more than routing read. */
const openReasons: ReadonlySet<string> = new Set(['interrupted', 'broken_off', 'absurd_usage']);

/** Returns undefined if it equals the cost. Failed attempts always have it, because facts of old releases lack it. */
function upstreamCostOf(
  { outcome }: Outcome,
  { cost, upstreamCost }: { readonly cost: bigint; readonly upstreamCost: bigint },
): bigint | undefined {
  return upstreamCost === cost && outcome !== 'failed' ? undefined : upstreamCost;
}

/** Returns true if the rest in suspense counts against the customer: not after a failure or a cancellation. */
function isPaidByCustomer({ outcome }: Outcome): boolean {
  return outcome !== 'failed' && outcome !== 'cancelled';
}

/**
 * Returns the charge with an own credential. The provider charges the account directly, and Sluice cannot ask it. The
 * list price of the usage that routing read counts, up to the hold. Nothing is in suspense.
 */
function byokCharge(intent: Intent, byok: IntentByok, ended: Outcome): Charge {
  const { holdNanoUsd = 0n, freeRequestLeaseNumbers = [] } = intent;
  const [served, billed] = [
    servedNanoUsd(intent.prices, ended),
    billedNanoUsd(intent.prices, ended),
  ];
  const within = (amount: bigint) => (amount < holdNanoUsd ? amount : holdNanoUsd);
  const costNanoUsd = within(billed);
  return {
    freeRequestLeaseNumbers,
    costNanoUsd,
    cacheDiscountNanoUsd: cacheDiscountNanoUsd(costNanoUsd, {
      uncachedNanoUsd: uncachedNanoUsd(intent.prices, ended),
      chargeableNanoUsd: holdNanoUsd,
      dataDiscountBasisPoints: undefined,
    }),
    upstreamCostNanoUsd: upstreamCostOf(ended, { cost: costNanoUsd, upstreamCost: within(served) }),
    estimated: ended.isEstimated || billed > holdNanoUsd,
    holdNanoUsd,
    suspendedNanoUsd: 0n,
    operatorSuspendedNanoUsd: 0n,
    claimedNanoUsd: 0n,
    estimateReason: '',
    prices: intent.isPrivate ? priceTexts(intent.prices) : {},
    providerUsage: bytesOf(ended.providerUsage),
    ...byokChargeOf(byok, costNanoUsd),
  };
}

const noBytes = Buffer.alloc(0);

function bytesOf(providerUsage: string | undefined): Buffer {
  if (providerUsage === undefined) return noBytes;
  return Buffer.from(providerUsage).subarray(0, providerUsageBytesMax);
}

/**
 * Returns the reason of an estimate. interrupted: a crash cut the answer off. broken_off: its end was not read.
 * no_usage: the upstream sent no usage. absurd_usage: it sent an implausible one. above_hold: see `chargeOf`.
 */
function reasonOf({
  outcome,
  isEstimated,
  isDeclaredFailure,
  estimateReason,
  finishReason,
}: Outcome) {
  const isBrokenOff = finishReason === '' && (outcome === 'failed' || outcome === 'cancelled');
  // Applies even with counts, which may be from the start of the answer. A provider may charge a declared failure.
  if (isBrokenOff) return estimateReason ?? 'broken_off';
  if (!isEstimated || isDeclaredFailure) return '';
  return estimateReason ?? 'no_usage';
}
