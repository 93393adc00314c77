import type { Queryable } from '@sluice/read-model';
import { usageColumns, type UsageFact } from '@sluice/usage-facts';
import { keptDetails, type KeptTexts, type UsageDetails } from '../domain/usage/usage-details.ts';
import { givenRows } from './given-rows.ts';

const given = givenRows({ usageId: 'text', ...usageColumns('usage_details') });

const text = `
  INSERT INTO usage_details (${given.columns}) SELECT ${given.selected} FROM ${given.from}`;

/** Inserts the details of facts that the same transaction inserted: their rows are not there yet. */
export async function insertUsageDetails(
  transaction: Queryable,
  facts: readonly UsageFact[],
): Promise<void> {
  if (facts.length === 0) return;
  const texts: KeptTexts = new Map();
  const rows = facts.map((fact) => ({
    usageId: fact.usageId,
    ...storedDetails(keptDetails(fact, texts)),
    // The message of an estimate is stored whole.
    prices: fact.estimateReason === '' ? storedPrices(fact) : undefined,
  }));
  await transaction.query({ name: 'insert-usage-details', text, values: given.valuesOf(rows) });
}

/** `routing` and `trace` are JSON already. */
function storedDetails({
  routing,
  trace,
  appTitle,
  appCategories,
  toolType,
  responseCacheSourceId,
  ...details
}: UsageDetails) {
  return {
    ...details,
    attempts: JSON.stringify(details.attempts.map(storedAttempt)),
    specialTokens: JSON.stringify(storedCounts(details.specialTokens)),
    routing: routing === '' ? undefined : routing,
    trace: trace === '' ? undefined : trace,
    appTitle: appTitle === '' ? undefined : appTitle,
    toolType: toolType === '' ? undefined : toolType,
    responseCacheSourceId: responseCacheSourceId === '' ? undefined : responseCacheSourceId,
    appCategories: appCategories.length === 0 ? undefined : JSON.stringify(appCategories),
  };
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
