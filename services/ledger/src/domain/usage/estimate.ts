/** What a fact says of its hold, and, when its counts are ours, on what terms they may be corrected. */
export interface EstimateTerms {
  /** More is never charged for it. 0: not known. */
  readonly holdNanoUsd: bigint;
  /** Of the hold: neither charged nor free until a correction says what was served. */
  readonly suspendedNanoUsd: bigint;
  /** What the provider may charge the operator beyond the upstream cost, until a correction says what was served. */
  readonly operatorSuspendedNanoUsd: bigint;
  /** What the provider asks for beyond the hold: charged to nobody. */
  readonly claimedNanoUsd: bigint;
  /** Empty: the counts are the provider's, or nobody can correct them. */
  readonly estimateReason: string;
  /** By name, in atto-USD, in digits: what a correction is charged at. */
  readonly prices: Readonly<Record<string, string>>;
  /** The usage as the provider sent it, where it cannot be true. */
  readonly providerUsage: Uint8Array;
}

const reasons: readonly string[] = [
  '',
  'interrupted',
  'broken_off',
  'no_usage',
  'absurd_usage',
  'above_hold',
];
const amountMax = 9_007_199_254_740_992n;
const pricesMax = 128;
/** What holds above a number of tokens says so: `inputTokenAttoUsd.above.200000`. */
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
  if (amounts.some((amount) => amount < 0n || amount > amountMax))
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
