import { costNanoUsd, priceTexts } from '@sluice/inference';
import type { UsageFact } from '@sluice/usage-facts';
import { type ByokCharge, byokChargeOf } from '../../byok/byok-charge.ts';
import type { Outcome } from './outcome.ts';
import type { IntentByok } from '../../byok/byok-record.ts';
import type { Intent } from './record.ts';

/**
 * Why counts are ours. interrupted: a crash cut it off. broken_off: its end was not read. no_usage: the upstream
 * gave none. absurd_usage: it gave one that cannot be true.
 */
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
> &
  ByokCharge;

const providerUsageBytesMax = 4_096;

/**
 * Says who pays what for an attempt (docs/billing.md). More than was held is never charged: no limit has room for
 * it. Where the provider may have served more than was seen, the rest of the hold is in suspense: the customer's
 * where the customer pays, and otherwise the operator's.
 */
export function chargeOf(intent: Intent, ended: Outcome): Charge {
  return {
    ...chargedOf(intent, ended),
    freeRequestLeaseNumbers: intent.freeRequestLeaseNumbers ?? [],
  };
}

function chargedOf(intent: Intent, ended: Outcome): Omit<Charge, 'freeRequestLeaseNumbers'> {
  const served = servedNanoUsd(intent, ended);
  const billed = billedNanoUsd(intent, ended);
  if (intent.byok) return byokCharge(intent, intent.byok, ended);
  const hold = intent.holdNanoUsd;
  const claimed = hold !== undefined && billed > hold ? billed - hold : 0n;
  const cost = billed - claimed;
  const upstreamCost = claimed > 0n ? cost : served;
  const estimateReason = claimed > 0n ? 'above_hold' : reasonOf(ended);
  const isCustomers = isPaidByCustomer(ended);
  const known = isCustomers ? cost : upstreamCost;
  const isOpen = openReasons.has(estimateReason) && hold !== undefined && hold > known;
  const rest = isOpen ? hold - known : 0n;
  return {
    costNanoUsd: cost,
    upstreamCostNanoUsd: toldUpstream(ended, { cost, upstreamCost }),
    estimated: ended.isEstimated || estimateReason !== '',
    holdNanoUsd: hold ?? 0n,
    suspendedNanoUsd: isCustomers ? rest : 0n,
    operatorSuspendedNanoUsd: isCustomers ? 0n : rest,
    claimedNanoUsd: claimed,
    estimateReason,
    prices: estimateReason === '' ? {} : priceTexts(intent.prices),
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

/** With these, more may have been served than was seen. */
const openReasons: ReadonlySet<string> = new Set(['interrupted', 'broken_off', 'absurd_usage']);

/** undefined: it is the cost. What failed always tells it: facts of earlier releases have none. */
function toldUpstream(
  { outcome }: Outcome,
  { cost, upstreamCost }: { readonly cost: bigint; readonly upstreamCost: bigint },
): bigint | undefined {
  return upstreamCost === cost && outcome !== 'failed' ? undefined : upstreamCost;
}

/** The customer pays nothing for a failure, and only what was seen of an answer that the client left. */
function isPaidByCustomer({ outcome }: Outcome): boolean {
  return outcome !== 'failed' && outcome !== 'cancelled';
}

/**
 * The provider charges the account itself, and nobody else may ask it: what was seen is the list price that
 * counts, within what was held, and no suspense waits for a better word.
 */
function byokCharge(
  intent: Intent,
  byok: IntentByok,
  ended: Outcome,
): Omit<Charge, 'freeRequestLeaseNumbers'> {
  const { holdNanoUsd = 0n } = intent;
  const [served, billed] = [servedNanoUsd(intent, ended), billedNanoUsd(intent, ended)];
  const within = (amount: bigint) => (amount < holdNanoUsd ? amount : holdNanoUsd);
  const costNanoUsd = within(billed);
  return {
    costNanoUsd,
    upstreamCostNanoUsd: toldUpstream(ended, { cost: costNanoUsd, upstreamCost: within(served) }),
    estimated: ended.isEstimated || billed > holdNanoUsd,
    holdNanoUsd,
    suspendedNanoUsd: 0n,
    operatorSuspendedNanoUsd: 0n,
    claimedNanoUsd: 0n,
    estimateReason: '',
    prices: {},
    providerUsage: told(ended.providerUsage),
    ...byokChargeOf(byok, costNanoUsd),
  };
}

const nothingTold = Buffer.alloc(0);

function told(providerUsage: string | undefined): Buffer {
  if (providerUsage === undefined) return nothingTold;
  return Buffer.from(providerUsage).subarray(0, providerUsageBytesMax);
}

/**
 * Returns what the provider is taken to charge, to the customer or to the operator. Nothing for a generation that it
 * declared failed, for one that nothing was read of, and for one that a crash cut off before any output.
 */
export function servedNanoUsd(intent: Pick<Intent, 'prices'>, ended: Outcome): bigint {
  const { usage, outcome, isDeclaredFailure, isUnanswered = false } = ended;
  const isUnseen = isUnanswered || (outcome === 'interrupted' && usage.outputTokens === 0);
  return isDeclaredFailure || isUnseen ? 0n : costNanoUsd(usage, intent.prices);
}

/**
 * Returns what the customer pays: what was served, also when the client left. Two kinds are free: what failed, and
 * what gave
 * no output and no end either. Their tokens stand in the fact at no cost to the customer.
 */
export function billedNanoUsd(intent: Pick<Intent, 'prices'>, ended: Outcome): bigint {
  const { usage, finishReason, outcome } = ended;
  if (outcome === 'failed' || (usage.outputTokens === 0 && finishReason === '')) return 0n;
  return servedNanoUsd(intent, ended);
}

/** An answer whose end was seen without counts gets no better counts later. */
function reasonOf({
  outcome,
  isEstimated,
  isDeclaredFailure,
  estimateReason,
  finishReason,
}: Outcome) {
  const isBrokenOff = finishReason === '' && (outcome === 'failed' || outcome === 'cancelled');
  // Also with counts: they may be of its beginning, and who declared that it failed may charge it or not.
  if (isBrokenOff) return estimateReason ?? 'broken_off';
  if (!isEstimated || isDeclaredFailure) return '';
  return estimateReason ?? 'no_usage';
}
