import { amountNanoUsdMax } from '@sluice/amounts';
import type { UsageFact } from './usage-fact.ts';

/** The hold of a fact and, when its counts are ours, the terms of a correction. */
export type EstimateTerms = Pick<
  UsageFact,
  | 'holdNanoUsd'
  | 'suspendedNanoUsd'
  | 'operatorSuspendedNanoUsd'
  | 'claimedNanoUsd'
  | 'estimateReason'
  | 'prices'
  | 'providerUsage'
>;

const reasons: readonly string[] = [
  '',
  'interrupted',
  'broken_off',
  'no_usage',
  'absurd_usage',
  'above_hold',
];
const pricesMax = 128;
/** A price that holds above a number of tokens has it in its name: `inputTokenAttoUsd.above.200000`. */
const priceNamePattern = /^[A-Za-z]{1,64}(?:\.above\.\d{1,9})?$/;
const pricePattern = /^\d{1,36}$/;
const providerUsageBytesMax = 8_192;

/** Why the terms cannot be true; undefined when they can. */
export function estimateProblem(
  fact: EstimateTerms & { readonly costNanoUsd: bigint; readonly estimated: boolean },
): string | undefined {
  const { holdNanoUsd, suspendedNanoUsd, claimedNanoUsd, estimateReason, estimated } = fact;
  const { operatorSuspendedNanoUsd: operatorSuspended } = fact;
  const amounts = [holdNanoUsd, suspendedNanoUsd, operatorSuspended, claimedNanoUsd];
  if (amounts.some((amount) => amount < 0n || amount > amountNanoUsdMax))
    return 'an amount of its hold is negative or absurd';
  if (!reasons.includes(estimateReason)) return 'estimate_reason is not known';
  if (estimateReason !== '' && !estimated) return 'estimate_reason without an estimate';
  const isOpen = suspendedNanoUsd > 0n || operatorSuspended > 0n || claimedNanoUsd > 0n;
  if (estimateReason === '' && isOpen) return 'something is in suspense for no reason';
  if (suspendedNanoUsd > 0n && fact.costNanoUsd + suspendedNanoUsd > holdNanoUsd)
    return 'more is charged and in suspense than was held';
  if (!arePrices(fact.prices)) return 'prices are malformed';
  if (fact.providerUsage.length > providerUsageBytesMax) return 'provider_usage is too long';
  return undefined;
}

function arePrices(prices: EstimateTerms['prices']): boolean {
  const entries = Object.entries(prices);
  return (
    entries.length <= pricesMax &&
    entries.every(([name, text]) => priceNamePattern.test(name) && pricePattern.test(text))
  );
}
