import { createHash } from 'node:crypto';
import type { Queryable } from '@sluice/read-model';
import { type ActivityIncrement, activityKey } from '../domain/usage/activity.ts';

const text = `
  INSERT INTO activity AS row (
    account_id, day, digest, workspace_id, key_hash, user_id, model, endpoint_id, provider,
    requests, input_tokens, output_tokens, reasoning_tokens, credits_nano_usd, byok_nano_usd
  )
  SELECT * FROM unnest(
    $1::text[], $2::date[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[]
  )
  ON CONFLICT (account_id, day, digest) DO UPDATE SET
    requests = row.requests + excluded.requests,
    input_tokens = row.input_tokens + excluded.input_tokens,
    output_tokens = row.output_tokens + excluded.output_tokens,
    reasoning_tokens = row.reasoning_tokens + excluded.reasoning_tokens,
    credits_nano_usd = row.credits_nano_usd + excluded.credits_nano_usd,
    byok_nano_usd = row.byok_nano_usd + excluded.byok_nano_usd`;

/** One row per increment, locked in one order: two transactions never wait for each other in a circle. */
export async function addToActivity(
  transaction: Queryable,
  increments: readonly ActivityIncrement[],
): Promise<void> {
  if (increments.length === 0) return;
  const ordered = increments
    .map((increment) => ({ ...increment, digest: digestOf(increment) }))
    .toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
  const column = <Name extends keyof (typeof ordered)[number]>(name: Name) =>
    ordered.map((row) => row[name]);
  await transaction.query({
    name: 'add-to-activity',
    text,
    values: [
      column('accountId'),
      column('day'),
      column('digest'),
      column('workspaceId'),
      column('keyHash'),
      column('userId'),
      column('model'),
      column('endpointId'),
      column('provider'),
      column('requests'),
      column('inputTokens'),
      column('outputTokens'),
      column('reasoningTokens'),
      column('creditsNanoUsd'),
      column('byokNanoUsd'),
    ],
  });
}

function digestOf(increment: ActivityIncrement): string {
  return createHash('sha256')
    .update(JSON.stringify(activityKey(increment)))
    .digest('hex');
}
