import type { Queryable } from '@sluice/read-model';
import type { ReceiptDifferenceKind, ReceiptScope } from './receipt.ts';

/** Counts of findings: the differences, the matches, and what is no difference. */
export type Finding = ReceiptDifferenceKind | 'matched' | 'nothing_served' | 'nothing_billed';

export interface FoundRow {
  readonly kind: ReceiptDifferenceKind;
  readonly id: string;
  /** JSON text; null: there is none. */
  readonly receipt: string | null;
  readonly row: string | null;
}

/**
 * Rows without an upstream id have their usage id in its place: no receipt can be theirs. What was not
 * served, or cost and used nothing, needs no other side. Nor does what a customer's own credential served: that is
 * on the customer's invoice; where a receipt of it is given all the same, it is compared.
 */
const joined = `
  SELECT coalesce(receipt.id, counted.id) AS id, receipt.shown AS receipt, counted.shown AS row,
    CASE
      WHEN counted.id IS NULL THEN
        CASE WHEN receipt.input_tokens + receipt.output_tokens + coalesce(receipt.cost_nano_usd, 0) > 0
          AND NOT receipt.is_free THEN 'missing_row' ELSE 'nothing_served' END
      WHEN receipt.id IS NULL THEN
        CASE WHEN NOT counted.is_asked_for THEN NULL
          WHEN counted.input_tokens + counted.output_tokens + counted.cost_nano_usd > 0
          THEN 'missing_receipt' ELSE 'nothing_billed' END
      WHEN counted.rows > 1 THEN 'counted_twice'
      WHEN receipt.rows > 1 THEN 'repeated_receipt'
      WHEN (receipt.input_tokens, receipt.output_tokens)
          <> (counted.input_tokens, counted.output_tokens)
        OR receipt.cached_tokens <> counted.cached_tokens THEN 'tokens'
      WHEN NOT receipt.is_free AND receipt.cost_nano_usd <> counted.upstream_cost_nano_usd THEN 'cost'
      ELSE 'matched'
    END AS kind
  FROM (
    SELECT id, count(*) AS rows, sum(input_tokens) AS input_tokens,
      sum(output_tokens) AS output_tokens, sum(cached_tokens) AS cached_tokens,
      bool_and(is_free) AS is_free, sum(cost_nano_usd) AS cost_nano_usd,
      json_build_object('input_tokens', sum(input_tokens), 'output_tokens', sum(output_tokens),
        'cached_tokens', sum(cached_tokens), 'cost_nano_usd', sum(cost_nano_usd),
        'receipts', count(*))::text AS shown
    FROM given_receipts GROUP BY id
  ) AS receipt
  FULL JOIN (
    SELECT coalesce(nullif(upstream_id, ''), usage_id) AS id, count(*) AS rows,
      sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
      sum(cached_tokens) AS cached_tokens, sum(cost_nano_usd) AS cost_nano_usd,
      sum(coalesce(upstream_cost_nano_usd, cost_nano_usd)) AS upstream_cost_nano_usd,
      bool_or(admitted_at >= coalesce($2::timestamptz, '-infinity')
        AND admitted_at < coalesce($3::timestamptz, 'infinity') AND NOT is_byok) AS is_asked_for,
      json_build_object('input_tokens', sum(input_tokens), 'output_tokens', sum(output_tokens),
        'cached_tokens', sum(cached_tokens), 'cost_nano_usd', sum(cost_nano_usd),
        'estimated', bool_or(estimated), 'usage_id', min(usage_id), 'rows', count(*)
      )::text AS shown
    FROM usage_facts WHERE $1::text IS NULL OR provider = $1
    GROUP BY 1
  ) AS counted USING (id)`;

/** Counts the rows of each finding. */
export async function countFindings(
  transaction: Queryable,
  scope: ReceiptScope,
): Promise<ReadonlyMap<Finding, bigint>> {
  const rows = await transaction.query<{ kind: Finding; count: bigint }>({
    text: `SELECT kind, count(*) AS count FROM (${joined}) AS compared
           WHERE kind IS NOT NULL GROUP BY kind`,
    values: valuesOf(scope),
  });
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

/** The first ones of each kind of difference, in the order of the id. */
export async function listDifferences(
  transaction: Queryable,
  scope: ReceiptScope,
  shownMax: number,
): Promise<readonly FoundRow[]> {
  return await transaction.query<FoundRow>({
    text: `SELECT kind, id, receipt, row FROM (
             SELECT *, row_number() OVER (PARTITION BY kind ORDER BY id) AS place
             FROM (${joined}) AS compared
             WHERE kind NOT IN ('matched', 'nothing_served', 'nothing_billed')
           ) AS numbered WHERE place <= $4 ORDER BY kind, id`,
    values: [...valuesOf(scope), shownMax],
  });
}

function valuesOf({ provider, from, to }: ReceiptScope) {
  return [provider ?? null, from ?? null, to ?? null];
}
