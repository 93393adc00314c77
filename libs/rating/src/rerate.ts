import { type PriceBook, type ServiceTier, toolCostNanoUsd } from '@sluice/catalog';
import { costNanoUsd, type Prices, pricesOfTexts } from '@sluice/inference';
import { discountNanoUsd, undiscountedNanoUsd, type UsageFact } from '@sluice/usage-facts';
import { billedNanoUsd } from './billed.ts';
import { tierPrices } from './tier-prices.ts';
import { pricesOfTool } from './tool-call-prices.ts';
import { endedOf, plainUsageOf, usageOf } from './usage-of-fact.ts';

/** A fact with its values of now, and how it came to them. */
export interface RatedFact {
  readonly fact: UsageFact;
  /** The fact as it was counted first, if a correction may replace it or has. */
  readonly estimate?: UsageFact | undefined;
  readonly correction?: { readonly source: string; readonly absorbedNanoUsd: bigint } | undefined;
}

/**
 * The reasons for which a fact keeps its price. not_listed: the prices have no such model, endpoint or tool.
 * tool_mode_unknown: the price of the tool depends on its mode, which the fact lacks. receipt_amount: a receipt said
 * the amount. byok_estimate: the hold may have cut the list price, and the fact lacks the hold. older_rule: an older
 * release charged for what is free today.
 */
export const keptReasons = [
  'not_listed',
  'tool_mode_unknown',
  'receipt_amount',
  'byok_estimate',
  'older_rule',
] as const;
export type KeptReason = (typeof keptReasons)[number];

/**
 * Returns the cost of a fact at other prices: its list price with an own credential. It is computed from the counts of
 * the fact as the live path does. If the hold cut the cost, the same share of the price is charged, because the hold
 * was made of the same prices. The discount of the fact is taken off.
 */
export function costAtPrices(book: PriceBook, rated: RatedFact): bigint | KeptReason {
  const full = fullCostAtPrices(book, rated);
  const { dataDiscountBasisPoints: rate } = rated.fact;
  return typeof full === 'string' || rate === undefined ? full : full - discountNanoUsd(full, rate);
}

function fullCostAtPrices(book: PriceBook, rated: RatedFact): bigint | KeptReason {
  const { fact, estimate, correction } = rated;
  const isReplaced = correction !== undefined && correction.source !== 'write_off';
  if (isFree(fact, isReplaced)) return undiscountedNanoUsd(fact) === 0n ? 0n : 'older_rule';
  const prices = pricesOf(book, estimate ?? fact);
  if (typeof prices === 'string') return prices;
  if (isReplaced) return correctedCost(prices, rated, correction.absorbedNanoUsd);
  if (fact.isByok && fact.estimated) return 'byok_estimate';
  const billed = billedNanoUsd(prices, endedOf(fact));
  return sameShare(billed, undiscountedNanoUsd(fact), estimate?.claimedNanoUsd ?? 0n);
}

/**
 * Returns true if the customer pays nothing, whatever the prices are: for a failure, an answer that was repeated, and
 * an attempt of which nothing was seen until a correction says otherwise.
 */
function isFree(fact: UsageFact, isReplaced: boolean): boolean {
  if (fact.outcome === 'failed' || fact.responseCacheSourceId !== '') return true;
  return !isReplaced && billedNanoUsd(pricesOfTool(1n), endedOf(fact)) === 0n;
}

function pricesOf(book: PriceBook, fact: UsageFact): Prices | KeptReason {
  if (fact.apiType === 'tool') return pricesOfCall(book, fact);
  // Rates of a private endpoint are negotiated with its upstream: no catalog has them.
  const isPrivate = fact.estimateReason === '' && Object.keys(fact.prices).length > 0;
  const own = isPrivate ? pricesOfTexts(fact.prices) : undefined;
  if (own) return own;
  const found = book.find(fact);
  if (!found) return 'not_listed';
  const { endpoint, model } = found;
  const prices = endpoint.pricesAt?.(new Date(fact.admittedAt)) ?? endpoint.prices;
  const served = fact.serviceTier === '' ? undefined : (fact.serviceTier as ServiceTier);
  return tierPrices({ model, endpoint: { ...endpoint, prices } }, served, usageOf(fact));
}

function pricesOfCall(book: PriceBook, fact: UsageFact): Prices | KeptReason {
  const counts = Object.fromEntries(
    Object.entries(fact.specialTokens).map(([name, count]) => [name, Number(count)]),
  );
  const costs = book
    .toolPrices(fact.toolType, fact.provider)
    .map((price) => toolCostNanoUsd(price, counts));
  const [cost] = costs;
  if (cost === undefined) return 'not_listed';
  return costs.every((one) => one === cost) ? pricesOfTool(cost) : 'tool_mode_unknown';
}

/** Returns the cost of an estimate that its provider or a receipt corrected: the corrected counts at the prices. */
function correctedCost(
  prices: Prices,
  { fact, estimate }: RatedFact,
  absorbedNanoUsd: bigint,
): bigint | KeptReason {
  const charged = undiscountedNanoUsd(fact);
  // The operator absorbs the discount too.
  const truth = fact.costNanoUsd + absorbedNanoUsd;
  if (truth === 0n) return 0n;
  const usage = plainUsageOf(fact);
  const before = pricesOfTexts(estimate?.prices ?? {});
  const isPriced = before && fact.apiType !== 'tool' && costNanoUsd(usage, before) === truth;
  if (!isPriced) return 'receipt_amount';
  return sameShare(costNanoUsd(usage, prices), charged, truth - charged);
}

/** Returns the charged share of an amount, rounded down, where a part was not charged before. */
function sameShare(amount: bigint, charged: bigint, uncharged: bigint): bigint {
  return uncharged === 0n ? amount : (amount * charged) / (charged + uncharged);
}
