import type { Queryable } from '@sluice/read-model';
import { upstreamCostOf } from '@sluice/usage-facts';
import type { Correction } from '../domain/usage/correction.ts';
import { givenRows } from './given-rows.ts';

const given = givenRows({
  correctionId: 'text',
  usageId: 'text',
  accountId: 'text',
  source: 'text',
  upstreamId: 'text',
  estimatedInputTokens: 'bigint',
  estimatedCachedTokens: 'bigint',
  estimatedOutputTokens: 'bigint',
  estimatedReasoningTokens: 'bigint',
  estimatedCostNanoUsd: 'bigint',
  inputTokens: 'bigint',
  cachedTokens: 'bigint',
  outputTokens: 'bigint',
  reasoningTokens: 'bigint',
  costNanoUsd: 'bigint',
  absorbedNanoUsd: 'bigint',
  estimatedUpstreamCostNanoUsd: 'bigint',
  dataDiscountNanoUsd: 'bigint',
  cacheDiscountNanoUsd: 'bigint',
});

const insert = `INSERT INTO corrections (${given.columns}) SELECT * FROM ${given.from}`;

/** A row that was written off stays an estimate. */
const update = `
  UPDATE usage_facts SET
    upstream_id = correction.upstream_id,
    input_tokens = correction.input_tokens,
    cached_tokens = correction.cached_tokens,
    output_tokens = correction.output_tokens,
    reasoning_tokens = correction.reasoning_tokens,
    cost_nano_usd = correction.cost_nano_usd,
    upstream_cost_nano_usd = correction.cost_nano_usd + correction.absorbed_nano_usd,
    data_discount_nano_usd = correction.data_discount_nano_usd,
    cache_discount_nano_usd = correction.cache_discount_nano_usd,
    estimated = correction.source = 'write_off'
  FROM corrections AS correction
  WHERE usage_facts.usage_id = correction.usage_id AND correction.usage_id = ANY($1)`;

const close = `UPDATE estimates SET corrected_at = now() WHERE usage_id = ANY($1)`;

/** Puts corrections in the place of estimates that the same transaction has locked. */
export async function writeCorrections(
  transaction: Queryable,
  corrections: readonly Correction[],
): Promise<void> {
  if (corrections.length === 0) return;
  const usageIds = corrections.map(({ fact }) => fact.usageId);
  const rows = corrections.map(({ fact, ...correction }) => ({
    ...correction,
    usageId: fact.usageId,
    accountId: fact.accountId,
    estimatedInputTokens: fact.inputTokens,
    estimatedCachedTokens: fact.cachedTokens,
    estimatedOutputTokens: fact.outputTokens,
    estimatedReasoningTokens: fact.reasoningTokens,
    estimatedCostNanoUsd: fact.costNanoUsd,
    estimatedUpstreamCostNanoUsd: upstreamCostOf(fact),
  }));
  const values = given.valuesOf(rows);
  await transaction.query({ name: 'insert-corrections', text: insert, values });
  await transaction.query({ name: 'correct-usage', text: update, values: [usageIds] });
  await transaction.query({ name: 'close-estimates', text: close, values: [usageIds] });
}
