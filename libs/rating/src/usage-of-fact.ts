import { specialCountsOf, type TokenUsage } from '@sluice/inference';
import type { UsageFact } from '@sluice/usage-facts';
import type { Ended } from './billed.ts';

type Counts = Pick<
  UsageFact,
  'inputTokens' | 'cachedTokens' | 'outputTokens' | 'reasoningTokens' | 'specialTokens'
>;

/** Returns the usage that a fact was priced by. */
export function usageOf(fact: Counts): TokenUsage {
  return { ...plainUsageOf(fact), ...specialCountsOf(fact.specialTokens) };
}

/** Returns the tokens without special kinds, by which corrections are priced. */
export function plainUsageOf(fact: Omit<Counts, 'specialTokens'>): TokenUsage {
  return {
    inputTokens: Number(fact.inputTokens),
    cachedTokens: Number(fact.cachedTokens),
    outputTokens: Number(fact.outputTokens),
    reasoningTokens: Number(fact.reasoningTokens),
  };
}

/** Returns how an attempt ended, as its fact says. A failure that a provider declared is a failure there. */
export function endedOf(fact: Counts & Pick<UsageFact, 'outcome' | 'finishReason'>): Ended {
  const { outcome, finishReason } = fact;
  return { outcome, finishReason, usage: usageOf(fact), isDeclaredFailure: false };
}
