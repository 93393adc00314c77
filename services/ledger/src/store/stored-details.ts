import type { UsageFact } from '@sluice/usage-facts';
import {
  keptDetails,
  keptDetailsOfRepeat,
  type KeptTexts,
  type UsageDetails,
} from '../domain/usage/usage-details.ts';

/** Returns the columns of what a fact says beside its charge. Facts of a batch share `texts`. */
export function storedDetails(
  fact: UsageFact,
  texts: KeptTexts,
): Readonly<Record<string, unknown>> {
  const details = keptDetails(fact, texts);
  const { routing, trace, appTitle, appCategories, toolType, responseCacheSourceId } = details;
  return {
    ...details,
    attempts: JSON.stringify(details.attempts.map(storedAttempt)),
    specialTokens: JSON.stringify(storedCounts(details.specialTokens)),
    // Both are JSON already.
    routing: given(routing),
    trace: given(trace),
    appTitle: given(appTitle),
    toolType: given(toolType),
    responseCacheSourceId: given(responseCacheSourceId),
    appCategories: appCategories.length === 0 ? undefined : JSON.stringify(appCategories),
    // The message of an estimate is stored whole.
    prices: fact.estimateReason === '' ? storedPrices(fact) : undefined,
  };
}

/** Returns those columns that each repeated answer has of its own. */
export function storedDetailsOfRepeat(
  fact: UsageFact,
  texts: KeptTexts,
): Readonly<Record<string, unknown>> {
  const { trace, responseCacheSourceId, ...details } = keptDetailsOfRepeat(fact, texts);
  return {
    ...details,
    trace: given(trace),
    responseCacheSourceId: given(responseCacheSourceId),
  };
}

function given(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function storedPrices({ prices }: Pick<UsageFact, 'prices'>): string | undefined {
  return Object.keys(prices).length === 0 ? undefined : JSON.stringify(prices);
}

function storedAttempt(attempt: UsageDetails['attempts'][number]) {
  const { provider, endpointId, errorCode, latencyMs, isByok } = attempt;
  return { provider, endpointId, errorCode, latencyMs: Number(latencyMs), isByok };
}

function storedCounts(counts: UsageDetails['specialTokens']) {
  const stored: Record<string, number> = {};
  for (const name of Object.keys(counts)) stored[name] = Number(counts[name]);
  return stored;
}
