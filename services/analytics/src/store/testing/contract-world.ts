import type { AskedQuestion, MetricName } from '@sluice/analytics-model';
import { parseQuestion } from '@sluice/analytics-model';
import type { UsageCorrection, UsageFact } from '@sluice/usage-facts';
import { rowBeforeCorrection, rowOfCorrection, rowOfFact } from '../../domain/count-fact.ts';
import type { AnalyticsStore, BatchSource, RowChange } from '../analytics-store.ts';

/** Everything in the contract happens around this instant, a Wednesday. */
export const now = new Date('2026-11-18T20:00:00.000Z');
export const retention = { factDays: 31, hourDays: 62, dayDays: 400 };

export const bus: BatchSource = { kind: 'bus' };
export const changeOf = (fact: UsageFact, countedAt = fact.completedAt): RowChange[] => {
  const after = rowOfFact(fact, Date.parse(countedAt));
  return after ? [{ before: undefined, after }] : [];
};
export const changesOf = (facts: readonly UsageFact[]) => facts.flatMap((fact) => changeOf(fact));

/** A correction of an estimate to other counts. */
export function correctionOf(fact: UsageFact, changes: Partial<UsageFact>): UsageCorrection {
  const { costNanoUsd, upstreamCostNanoUsd = costNanoUsd } = fact;
  return {
    correctionId: `${fact.usageId}/provider`,
    source: 'provider',
    fact: { ...fact, upstreamCostNanoUsd, ...changes },
    estimatedInputTokens: fact.inputTokens,
    estimatedCachedTokens: fact.cachedTokens,
    estimatedOutputTokens: fact.outputTokens,
    estimatedReasoningTokens: fact.reasoningTokens,
    estimatedCostNanoUsd: costNanoUsd,
    estimatedUpstreamCostNanoUsd: upstreamCostNanoUsd,
    estimatedDataDiscountNanoUsd: fact.dataDiscountNanoUsd,
    estimatedCacheDiscountNanoUsd: fact.cacheDiscountNanoUsd,
    absorbedNanoUsd: 0n,
    correctedAt: '2026-11-18T13:00:00.000Z',
  };
}

export const correctedChange = (correction: UsageCorrection): RowChange[] => {
  const after = rowOfCorrection(correction);
  return after ? [{ before: rowBeforeCorrection(correction), after }] : [];
};

/** Asks a store, and throws for a question that breaks a rule. */
export async function ask(store: AnalyticsStore, asked: AskedQuestion, accountId = 'acct_1') {
  const parsed = parseQuestion(asked, now);
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  return await store.answer(accountId, parsed.question);
}

/** Returns the rows as lists: the bucket, the dimensions, the metrics. */
export async function rowsOf(store: AnalyticsStore, asked: AskedQuestion, accountId?: string) {
  const { rows } = await ask(store, asked, accountId);
  return rows.map(({ at, dimensions, metrics }) => [
    ...(at ? [at.toISOString()] : []),
    ...(asked.dimensions ?? []).map(
      (name) => Object.entries(dimensions).find(([one]) => one === name)?.[1],
    ),
    ...asked.metrics.map((name) => metrics[name as MetricName]),
  ]);
}

export const wholeYear = { start: '2025-11-20T00:00:00Z', end: '2026-11-19T00:00:00Z' };
export const sums = ['request_count', 'tokens_total', 'total_usage'];
