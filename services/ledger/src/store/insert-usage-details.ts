import type { Queryable } from '@sluice/read-model';
import { keptDetails } from '../domain/usage/usage-details.ts';
import type { UsageFact } from '../domain/usage/usage-fact.ts';

const text = `
  INSERT INTO usage_details (
    usage_id, native_finish_reason, endpoint_id, latency_ms, user_id, external_user, session_id,
    http_referer, user_agent, attempts, special_tokens, routing, service_tier, trace
  )
  SELECT usage_id, native_finish_reason, endpoint_id, latency_ms, user_id, external_user, session_id,
    http_referer, user_agent, attempts::jsonb, special_tokens::jsonb, routing::jsonb, service_tier,
    trace::jsonb
  FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[],
    $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[]
  ) AS given (
    usage_id, native_finish_reason, endpoint_id, latency_ms, user_id, external_user, session_id,
    http_referer, user_agent, attempts, special_tokens, routing, service_tier, trace
  )`;

/** Of facts that were inserted in the same transaction: theirs are not there yet. */
export async function insertUsageDetails(
  transaction: Queryable,
  facts: readonly UsageFact[],
): Promise<void> {
  if (facts.length === 0) return;
  const details = facts.map(keptDetails);
  await transaction.query({
    name: 'insert-usage-details',
    text,
    values: [
      facts.map(({ usageId }) => usageId),
      details.map(({ nativeFinishReason }) => nativeFinishReason),
      details.map(({ endpointId }) => endpointId),
      details.map(({ latencyMs }) => latencyMs ?? null),
      details.map(({ userId }) => userId),
      details.map(({ externalUser }) => externalUser),
      details.map(({ sessionId }) => sessionId),
      details.map(({ httpReferer }) => httpReferer),
      details.map(({ userAgent }) => userAgent),
      details.map(({ attempts }) => JSON.stringify(attempts.map(storedAttempt))),
      details.map(({ specialTokens }) => JSON.stringify(storedCounts(specialTokens))),
      details.map(({ routing }) => (routing === '' ? null : routing)),
      details.map(({ serviceTier }) => serviceTier),
      details.map(({ trace }) => (trace === '' ? null : trace)),
    ],
  });
}

function storedAttempt({ latencyMs, ...attempt }: ReturnType<typeof keptDetails>['attempts'][0]) {
  return { ...attempt, latencyMs: Number(latencyMs) };
}

function storedCounts(counts: ReturnType<typeof keptDetails>['specialTokens']) {
  return Object.fromEntries(Object.entries(counts).map(([name, text]) => [name, Number(text)]));
}
