import type { Queryable } from '@sluice/read-model';
import type { UsageFact } from '../domain/usage/usage-fact.ts';

const text = `
  WITH inserted AS (
    INSERT INTO usage_facts (
      usage_id, generation_id, request_id, account_id, workspace_id, key_hash,
      model, provider, upstream_id,
      input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost_nano_usd,
      is_byok, streamed, outcome, finish_reason, estimated,
      admitted_at, completed_at, replica, epoch, sequence, lease_epoch, lease_numbers,
      guardrail_scopes, credential_id, fee_nano_usd, free_nano_usd, fee_lease_numbers, allowance_lease_number,
      free_request_lease_numbers, upstream_cost_nano_usd
    )
    SELECT usage_id, generation_id, request_id, account_id, workspace_id, key_hash,
      model, provider, upstream_id,
      input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost_nano_usd,
      is_byok, streamed, outcome, finish_reason, estimated,
      admitted_at, completed_at, replica, epoch, sequence, lease_epoch, lease_numbers::bigint[],
      guardrail_scopes::text[], credential_id, fee_nano_usd, free_nano_usd, fee_lease_numbers::bigint[],
      allowance_lease_number, free_request_lease_numbers::bigint[], upstream_cost_nano_usd
    FROM unnest(
      $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
      $7::text[], $8::text[], $9::text[],
      $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[],
      $15::boolean[], $16::boolean[], $17::text[], $18::text[], $19::boolean[],
      $20::timestamptz[], $21::timestamptz[], $22::text[], $23::bigint[], $24::bigint[],
      $25::bigint[], $26::text[], $27::text[], $28::text[], $29::bigint[], $30::bigint[], $31::text[],
      $32::bigint[], $33::text[], $34::bigint[]
    ) AS given (
      usage_id, generation_id, request_id, account_id, workspace_id, key_hash,
      model, provider, upstream_id,
      input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost_nano_usd,
      is_byok, streamed, outcome, finish_reason, estimated,
      admitted_at, completed_at, replica, epoch, sequence, lease_epoch, lease_numbers,
      guardrail_scopes, credential_id, fee_nano_usd, free_nano_usd, fee_lease_numbers, allowance_lease_number,
      free_request_lease_numbers, upstream_cost_nano_usd
    )
    ON CONFLICT (usage_id) DO NOTHING
    RETURNING usage_id
  )
  SELECT usage_id FROM unnest($1::text[]) AS given (usage_id)
  WHERE usage_id NOT IN (SELECT usage_id FROM inserted)`;

type ListColumn =
  | 'leaseNumbers'
  | 'guardrailScopes'
  | 'feeLeaseNumbers'
  | 'freeRequestLeaseNumbers';

/**
 * Inserts those that are not there yet; the answer is the ids of the others, which are few. Facts must have
 * distinct ids: they are inserted in the order of the id, so that two transactions never wait for each other
 * in a circle.
 */
export async function insertUsageFacts(
  transaction: Queryable,
  facts: readonly UsageFact[],
): Promise<ReadonlySet<string>> {
  if (facts.length === 0) return new Set();
  const ordered = facts.toSorted((a, b) => (a.usageId < b.usageId ? -1 : 1));
  const column = <Name extends Exclude<keyof UsageFact, ListColumn>>(name: Name) =>
    ordered.map((fact) => fact[name]);
  const values = [
    column('usageId'),
    column('generationId'),
    column('requestId'),
    column('accountId'),
    column('workspaceId'),
    column('keyHash'),
    column('model'),
    column('provider'),
    column('upstreamId'),
    column('inputTokens'),
    column('cachedTokens'),
    column('outputTokens'),
    column('reasoningTokens'),
    column('costNanoUsd'),
    column('isByok'),
    column('streamed'),
    column('outcome'),
    column('finishReason'),
    column('estimated'),
    column('admittedAt'),
    column('completedAt'),
    column('replica'),
    column('epoch'),
    column('sequence'),
    column('leaseEpoch'),
    ordered.map(({ leaseNumbers }) => `{${leaseNumbers.join(',')}}`),
    ordered.map(({ guardrailScopes }) => `{${guardrailScopes.join(',')}}`),
    column('credentialId'),
    column('feeNanoUsd'),
    column('freeNanoUsd'),
    ordered.map(({ feeLeaseNumbers }) => `{${feeLeaseNumbers.join(',')}}`),
    column('allowanceLeaseNumber'),
    ordered.map(({ freeRequestLeaseNumbers: numbers }) => `{${numbers.join(',')}}`),
    ordered.map(({ upstreamCostNanoUsd }) => upstreamCostNanoUsd ?? null),
  ];
  const rows = await transaction.query<{ usage_id: string }>({
    name: 'insert-usage-facts',
    text,
    values,
  });
  return new Set(rows.map(({ usage_id }) => usage_id));
}
