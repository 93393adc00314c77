import type { Connection } from '@sluice/read-model';
import { correctUsage, type Testimony } from '../commands/correct-usage.ts';
import type { ReceiptScope } from './receipt.ts';

/** The changes that receipts made. Nano-USD. */
export interface AppliedReceipts {
  /** Estimates that have the values of their receipt now. */
  readonly corrected: bigint;
  /** Estimates of generations that the provider served nothing of. */
  readonly unserved: bigint;
  /** The difference to the estimates; negative: less is charged. */
  readonly chargedNanoUsd: bigint;
  /** The amount that is in suspense no longer. */
  readonly releasedNanoUsd: bigint;
  /** The cost of the receipts beyond what could be charged. */
  readonly absorbedNanoUsd: bigint;
}

const batchSize = 500;

/** The name of the answer, or, where a crash took that, the name that we gave the attempt. */
const paired = `
  SELECT fact.usage_id, receipt.*
  FROM estimates JOIN usage_facts AS fact USING (usage_id)
  JOIN receipts AS receipt
    ON receipt.name = CASE WHEN fact.upstream_id = '' THEN fact.usage_id ELSE fact.upstream_id END
    AND receipt.is_attempt = (fact.upstream_id = '')
  WHERE corrected_at IS NULL AND ($1::text IS NULL OR provider = $1)`;

/** Each with one receipt whose counts can be true; those of several receipts are for people to look at. */
const receipts = `
  WITH receipts AS (
    SELECT id AS name, false AS is_attempt, min(id) AS id, min(input_tokens) AS input_tokens,
      min(output_tokens) AS output_tokens, coalesce(min(cached_tokens), 0) AS cached_tokens,
      coalesce(min(reasoning_tokens), 0) AS reasoning_tokens, bool_and(is_free) AS is_free,
      min(cost_nano_usd) AS cost_nano_usd
    FROM given_receipts GROUP BY id HAVING count(*) = 1
    UNION ALL
    SELECT attempt_id, true, min(id), min(input_tokens), min(output_tokens),
      coalesce(min(cached_tokens), 0), coalesce(min(reasoning_tokens), 0), bool_and(is_free),
      min(cost_nano_usd)
    FROM given_receipts WHERE attempt_id <> '' GROUP BY attempt_id HAVING count(*) = 1
  )`;

const nextPaired = `${receipts}
  SELECT usage_id AS "usageId", id AS "upstreamId", input_tokens AS "inputTokens",
    output_tokens AS "outputTokens", cached_tokens AS "cachedTokens",
    reasoning_tokens AS "reasoningTokens", is_free AS "isFree", cost_nano_usd AS "costNanoUsd"
  FROM (${paired}) AS paired
  WHERE cached_tokens <= input_tokens AND reasoning_tokens <= output_tokens
  ORDER BY usage_id LIMIT ${batchSize}`;

/** Selects attempts without output only, and only where a receipt would have been recognized. */
const nextUnserved = `
  SELECT usage_id AS "usageId", '' AS "upstreamId", 0::bigint AS "inputTokens",
    0::bigint AS "outputTokens", 0::bigint AS "cachedTokens", 0::bigint AS "reasoningTokens",
    true AS "isFree"
  FROM estimates JOIN usage_facts AS fact USING (usage_id)
  WHERE corrected_at IS NULL AND reason IN ('interrupted', 'broken_off')
    AND fact.output_tokens = 0
    AND ($1::text IS NULL OR provider = $1)
    AND admitted_at >= coalesce($2::timestamptz, '-infinity')
    AND admitted_at < coalesce($3::timestamptz, 'infinity')
    AND NOT EXISTS (SELECT FROM given_receipts AS receipt
      WHERE receipt.id = fact.upstream_id OR receipt.attempt_id = usage_id)
    AND (fact.upstream_id <> '' OR NOT EXISTS (SELECT FROM given_receipts WHERE attempt_id = ''))
  ORDER BY usage_id LIMIT ${batchSize}`;

/**
 * Puts what receipts say in the place of the estimates that they belong to. Where the receipts are all
 * there are of the scope, what has none was not served. Batch by batch: an end in between leaves
 * nothing half done, and going on does the rest.
 */
export async function applyReceipts(
  connection: Connection,
  scope: ReceiptScope & { readonly isComplete: boolean },
): Promise<AppliedReceipts> {
  const { provider = null, from = null, to = null } = scope;
  const paired = await applyAll(connection, nextPaired, [provider]);
  const unserved = scope.isComplete
    ? await applyAll(connection, nextUnserved, [provider, from, to])
    : nothing;
  return {
    corrected: paired.corrected,
    unserved: unserved.corrected,
    chargedNanoUsd: paired.chargedNanoUsd + unserved.chargedNanoUsd,
    releasedNanoUsd: paired.releasedNanoUsd + unserved.releasedNanoUsd,
    absorbedNanoUsd: paired.absorbedNanoUsd,
  };
}

type Sums = Omit<AppliedReceipts, 'unserved'>;
const nothing: Sums = {
  corrected: 0n,
  chargedNanoUsd: 0n,
  releasedNanoUsd: 0n,
  absorbedNanoUsd: 0n,
};

/** Until the statement finds nothing more that can be corrected. */
async function applyAll(
  connection: Connection,
  text: string,
  values: readonly (string | Date | null)[],
): Promise<Sums> {
  let sums = nothing;
  for (;;) {
    const corrections = await connection.transaction(async (transaction) => {
      const next = await transaction.query<Testimony>({ text, values: [...values] });
      return await correctUsage(transaction, next, 'receipt');
    });
    if (corrections.length === 0) return sums;
    for (const { costNanoUsd, absorbedNanoUsd, fact } of corrections)
      sums = {
        corrected: sums.corrected + 1n,
        chargedNanoUsd: sums.chargedNanoUsd + costNanoUsd - fact.costNanoUsd,
        releasedNanoUsd: sums.releasedNanoUsd + fact.suspendedNanoUsd,
        absorbedNanoUsd: sums.absorbedNanoUsd + absorbedNanoUsd,
      };
  }
}
