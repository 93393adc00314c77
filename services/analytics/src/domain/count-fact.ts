import { binOf, contextBucketOf } from '@sluice/analytics-model';
import {
  amountsOf,
  isInstant,
  isOperatorsOwn,
  parseUsageId,
  type UsageCorrection,
  type UsageFact,
  upstreamCostOf,
} from '@sluice/usage-facts';
import { amounts } from './amounts.ts';
import { cleaned, dimensionsOf, type UsageRow } from './usage-row.ts';

/** A later revision of a fact replaces an earlier one, in whatever order they come. */
export const revisions = { recorded: 0, expired: 1, corrected: 2 } as const;

/** Returns the row of a fact, which was counted then. Undefined: the operator pays for it, and no account sees it. */
export function rowOfFact(
  fact: UsageFact,
  countedAtMs: number,
  revision: number = revisions.recorded,
): UsageRow | undefined {
  if (revision === revisions.recorded && isOperatorsOwn(fact)) return undefined;
  const latencyMs = fact.latencyMs;
  const throughput = throughputOf(fact);
  return {
    accountId: fact.accountId,
    factId: fact.usageId,
    revision,
    atMs: Date.parse(fact.admittedAt),
    countedAtMs,
    dimensions: dimensionsOfFact(fact),
    amounts: amounts({
      ...requestAmounts(fact),
      ...costAmounts(fact),
      input_tokens: fact.inputTokens,
      output_tokens: fact.outputTokens,
      cached_tokens: fact.cachedTokens,
      reasoning_tokens: fact.reasoningTokens,
      ...(latencyMs !== undefined && { latency_ms: latencyMs, latency_count: 1n }),
      ...(throughput !== undefined && {
        throughput_milli: BigInt(Math.round(throughput * 1_000)),
        throughput_count: 1n,
      }),
    }),
    bins: {
      ...(latencyMs !== undefined && { latency: binOf(Number(latencyMs)) }),
      ...(throughput !== undefined && { throughput: binOf(throughput) }),
    },
  };
}

/** Returns the row of a repeated answer that was told with the fact of this row. They share what is equal. */
export function rowOfRepeat(row: UsageRow, fact: UsageFact): UsageRow {
  return {
    ...row,
    factId: fact.usageId,
    atMs: Date.parse(fact.admittedAt),
    dimensions: {
      ...row.dimensions,
      generation_id: cleaned(fact.generationId),
      external_user: cleaned(fact.externalUser),
    },
  };
}

/** Returns the row of a fact after its correction. */
export function rowOfCorrection(correction: UsageCorrection): UsageRow | undefined {
  const { fact, source, estimatedCostNanoUsd, correctedAt } = correction;
  // The operator pays for a failed attempt, and no correction charges the customer for it.
  const isFree = fact.costNanoUsd === 0n && estimatedCostNanoUsd === 0n;
  if (fact.outcome === 'failed' && isFree) return undefined;
  // The books have microseconds: an instant of milliseconds that is before the next one is before the correction.
  const countedAtMs = isInstant(correctedAt)
    ? Date.parse(correctedAt) + 1
    : Date.parse(fact.completedAt);
  const revision = source === 'expiry' ? revisions.expired : revisions.corrected;
  return rowOfFact(fact, countedAtMs, revision);
}

/** Returns the row of the fact as it was before its correction. Its expiry changes nothing that is counted. */
export function rowBeforeCorrection(correction: UsageCorrection): UsageRow | undefined {
  const { fact } = correction;
  const row = rowOfCorrection(correction);
  const before = {
    ...fact,
    inputTokens: correction.estimatedInputTokens,
    cachedTokens: correction.estimatedCachedTokens,
    outputTokens: correction.estimatedOutputTokens,
    reasoningTokens: correction.estimatedReasoningTokens,
    costNanoUsd: correction.estimatedCostNanoUsd,
    dataDiscountNanoUsd: correction.estimatedDataDiscountNanoUsd,
    cacheDiscountNanoUsd: correction.estimatedCacheDiscountNanoUsd,
    upstreamCostNanoUsd: correction.estimatedUpstreamCostNanoUsd,
  };
  return row && rowOfFact(before, row.countedAtMs, row.revision);
}

/** The first turn of a response is one request. Its later turns and its tool calls add what they used. */
function requestAmounts(fact: UsageFact) {
  const step = parseUsageId(fact.usageId);
  if (step.kind === 'tool' || fact.toolType !== '') return { tool_calls: 1n };
  if (step.kind !== 'turn' || step.turn !== 1) return {};
  return {
    requests: 1n,
    byok_requests: fact.isByok ? 1n : 0n,
    guardrail_requests: fact.guardrailInvoked ? 1n : 0n,
    repeated_responses: fact.responseCacheSourceId === '' ? 0n : 1n,
  };
}

/** The measures of the cost of a tool, by the type of the tool. */
const toolMeasures: Readonly<Record<string, 'web' | 'file' | 'web_fetch'>> = {
  'service:web_search': 'web',
  'service:web_fetch': 'web_fetch',
  'plugin:file-parser': 'file',
};

function costAmounts(fact: UsageFact) {
  const { creditsNanoUsd, byokNanoUsd } = amountsOf(fact);
  const upstream = upstreamCostOf(fact);
  const tool = toolMeasures[fact.toolType];
  return {
    service_nano_usd: creditsNanoUsd - fact.feeNanoUsd,
    fee_nano_usd: fact.feeNanoUsd,
    byok_nano_usd: byokNanoUsd,
    upstream_nano_usd: upstream,
    ...(fact.dataDiscountNanoUsd !== undefined && { data_nano_usd: -fact.dataDiscountNanoUsd }),
    ...(fact.cacheDiscountNanoUsd !== undefined && { cache_nano_usd: -fact.cacheDiscountNanoUsd }),
    ...(tool && {
      [`${tool}_nano_usd`]: fact.costNanoUsd,
      [`${tool}_upstream_nano_usd`]: upstream,
    }),
  };
}

function dimensionsOfFact(fact: UsageFact): UsageRow['dimensions'] {
  return dimensionsOf({
    model: fact.model,
    variant: variantOf(fact.model),
    api_key_id: fact.keyHash,
    user: fact.userId,
    workspace: fact.workspaceId,
    app: fact.app,
    generation_id: fact.generationId,
    provider: fact.provider,
    origin: originOf(fact.httpReferer),
    finish_reason: fact.finishReason,
    external_user: fact.externalUser,
    context_length_bucket: contextBucketOf(fact.inputTokens),
  });
}

/** Returns `free` of `vendor/model:free`. */
export function variantOf(model: string): string {
  return /:([a-z0-9._-]+)$/i.exec(model)?.[1] ?? '';
}

function originOf(referer: string): string {
  const { origin = 'null' } = URL.parse(referer) ?? {};
  return origin === 'null' ? '' : origin;
}

/** Returns the tokens per second from the first output to the end. Undefined: it has no such time. */
function throughputOf(fact: UsageFact): number | undefined {
  if (fact.latencyMs === undefined || fact.outputTokens <= 0n || !fact.streamed) return undefined;
  const wholeMs = Date.parse(fact.completedAt) - Date.parse(fact.admittedAt);
  const outputMs = wholeMs - Number(fact.latencyMs);
  return outputMs > 0 ? (Number(fact.outputTokens) * 1_000) / outputMs : undefined;
}
