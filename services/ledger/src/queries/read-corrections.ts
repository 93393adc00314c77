import type { Queryable } from '@sluice/read-model';

/** The columns of a correction, and the fact of its estimate in JSON. */
export interface StoredCorrection {
  readonly correctionId: string;
  readonly usageId: string;
  readonly accountId: string;
  readonly source: string;
  readonly upstreamId: string;
  readonly estimatedInputTokens: bigint;
  readonly estimatedCachedTokens: bigint;
  readonly estimatedOutputTokens: bigint;
  readonly estimatedReasoningTokens: bigint;
  readonly estimatedCostNanoUsd: bigint;
  readonly estimatedUpstreamCostNanoUsd: bigint;
  readonly inputTokens: bigint;
  readonly cachedTokens: bigint;
  readonly outputTokens: bigint;
  readonly reasoningTokens: bigint;
  readonly costNanoUsd: bigint;
  readonly absorbedNanoUsd: bigint;
  readonly dataDiscountNanoUsd: bigint | null;
  readonly cacheDiscountNanoUsd: bigint | null;
  readonly correctedAt: Date;
  readonly fact: string;
}

const select = `
  SELECT correction_id AS "correctionId", usage_id AS "usageId", correction.account_id AS "accountId", source,
    correction.upstream_id AS "upstreamId",
    estimated_input_tokens AS "estimatedInputTokens", estimated_cached_tokens AS "estimatedCachedTokens",
    estimated_output_tokens AS "estimatedOutputTokens",
    estimated_reasoning_tokens AS "estimatedReasoningTokens",
    estimated_cost_nano_usd AS "estimatedCostNanoUsd",
    coalesce(estimated_upstream_cost_nano_usd, estimated_cost_nano_usd) AS "estimatedUpstreamCostNanoUsd",
    input_tokens AS "inputTokens", cached_tokens AS "cachedTokens", output_tokens AS "outputTokens",
    reasoning_tokens AS "reasoningTokens", cost_nano_usd AS "costNanoUsd",
    absorbed_nano_usd AS "absorbedNanoUsd", data_discount_nano_usd AS "dataDiscountNanoUsd",
    cache_discount_nano_usd AS "cacheDiscountNanoUsd",
    correction.corrected_at AS "correctedAt", fact
  FROM corrections AS correction JOIN estimates USING (usage_id)`;

const unpublished = `${select}
  WHERE published_at IS NULL
  ORDER BY correction.corrected_at, correction_id
  LIMIT $1`;

const ofIds = `${select} WHERE usage_id = ANY($1)`;

/** Reads the oldest corrections that were not published yet. */
export function readUnpublishedCorrections(
  readModel: Queryable,
  limit: number,
): Promise<readonly StoredCorrection[]> {
  const name = 'read-unpublished-corrections';
  return readModel.query({ name, text: unpublished, values: [limit] });
}

/** Reads the corrections of usage ids, in no order. */
export function readCorrections(
  readModel: Queryable,
  usageIds: readonly string[],
): Promise<readonly StoredCorrection[]> {
  return readModel.query({ name: 'read-corrections', text: ofIds, values: [[...usageIds]] });
}
