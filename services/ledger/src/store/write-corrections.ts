import type { Queryable } from '@sluice/read-model';
import type { Correction } from '../domain/usage/correction.ts';
import { upstreamCostOf } from '../domain/usage/usage-fact.ts';

const insert = `
  INSERT INTO corrections (
    correction_id, usage_id, account_id, source, upstream_id,
    estimated_input_tokens, estimated_cached_tokens, estimated_output_tokens,
    estimated_reasoning_tokens, estimated_cost_nano_usd,
    input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost_nano_usd, absorbed_nano_usd,
    estimated_upstream_cost_nano_usd
  )
  SELECT * FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::text[],
    $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[],
    $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[], $16::bigint[],
    $17::bigint[]
  )`;

/** A write-off knows no better than the estimate did. */
const update = `
  UPDATE usage_facts SET
    upstream_id = correction.upstream_id,
    input_tokens = correction.input_tokens,
    cached_tokens = correction.cached_tokens,
    output_tokens = correction.output_tokens,
    reasoning_tokens = correction.reasoning_tokens,
    cost_nano_usd = correction.cost_nano_usd,
    upstream_cost_nano_usd = correction.cost_nano_usd + correction.absorbed_nano_usd,
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
  await transaction.query({
    name: 'insert-corrections',
    text: insert,
    values: [
      corrections.map(({ correctionId }) => correctionId),
      usageIds,
      corrections.map(({ fact }) => fact.accountId),
      corrections.map(({ source }) => source),
      corrections.map(({ upstreamId }) => upstreamId),
      corrections.map(({ fact }) => fact.inputTokens),
      corrections.map(({ fact }) => fact.cachedTokens),
      corrections.map(({ fact }) => fact.outputTokens),
      corrections.map(({ fact }) => fact.reasoningTokens),
      corrections.map(({ fact }) => fact.costNanoUsd),
      corrections.map(({ inputTokens }) => inputTokens),
      corrections.map(({ cachedTokens }) => cachedTokens),
      corrections.map(({ outputTokens }) => outputTokens),
      corrections.map(({ reasoningTokens }) => reasoningTokens),
      corrections.map(({ costNanoUsd }) => costNanoUsd),
      corrections.map(({ absorbedNanoUsd }) => absorbedNanoUsd),
      corrections.map(({ fact }) => upstreamCostOf(fact)),
    ],
  });
  await transaction.query({ name: 'correct-usage', text: update, values: [usageIds] });
  await transaction.query({ name: 'close-estimates', text: close, values: [usageIds] });
}
