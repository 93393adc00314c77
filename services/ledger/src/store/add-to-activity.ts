import { createHash } from 'node:crypto';
import type { Queryable } from '@sluice/read-model';
import { type ActivityIncrement, activityKey } from '../domain/usage/activity.ts';
import { givenRows } from './given-rows.ts';

const given = givenRows({
  accountId: 'text',
  day: 'date',
  digest: 'text',
  workspaceId: 'text',
  keyHash: 'text',
  userId: 'text',
  model: 'text',
  endpointId: 'text',
  provider: 'text',
  app: 'text',
  requests: 'bigint',
  inputTokens: 'bigint',
  outputTokens: 'bigint',
  reasoningTokens: 'bigint',
  creditsNanoUsd: 'bigint',
  byokNanoUsd: 'bigint',
});

const text = `
  INSERT INTO activity AS row (${given.columns}) SELECT * FROM ${given.from}
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
  await transaction.query({ name: 'add-to-activity', text, values: given.valuesOf(ordered) });
}

function digestOf(increment: ActivityIncrement): string {
  return createHash('sha256')
    .update(JSON.stringify(activityKey(increment)))
    .digest('hex');
}
