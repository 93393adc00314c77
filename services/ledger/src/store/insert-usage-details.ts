import type { Queryable } from '@sluice/read-model';
import { keptDetails, type KeptTexts } from '../domain/usage/usage-details.ts';
import type { UsageFact } from '../domain/usage/usage-fact.ts';

const text = `
  INSERT INTO usage_details (
    usage_id, native_finish_reason, endpoint_id, latency_ms, user_id, external_user, session_id,
    http_referer, user_agent, service_tier, attempts, special_tokens, routing, trace,
    app_title, app_categories
  )
  SELECT usage_id, native_finish_reason, endpoint_id, latency_ms, user_id, external_user, session_id,
    http_referer, user_agent, service_tier, attempts, special_tokens, nullif(routing, 'null'),
    nullif(trace, 'null'), nullif(app_title, ''), nullif(app_categories, '[]')
  FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[],
    $8::text[], $9::text[], $10::text[],
    ARRAY(SELECT jsonb_array_elements($11::jsonb)), ARRAY(SELECT jsonb_array_elements($12::jsonb)),
    ARRAY(SELECT jsonb_array_elements($13::jsonb)), ARRAY(SELECT jsonb_array_elements($14::jsonb)),
    $15::text[], ARRAY(SELECT jsonb_array_elements($16::jsonb))
  ) AS given (
    usage_id, native_finish_reason, endpoint_id, latency_ms, user_id, external_user, session_id,
    http_referer, user_agent, service_tier, attempts, special_tokens, routing, trace,
    app_title, app_categories
  )`;

/** Of facts that were inserted in the same transaction: theirs are not there yet. */
export async function insertUsageDetails(
  transaction: Queryable,
  facts: readonly UsageFact[],
): Promise<void> {
  if (facts.length === 0) return;
  const texts: KeptTexts = new Map();
  const details = facts.map((fact) => keptDetails(fact, texts));
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
      details.map(({ serviceTier }) => serviceTier),
      // One text for all: as elements of an SQL array each would have its quotes escaped.
      JSON.stringify(details.map(({ attempts }) => attempts.map(storedAttempt))),
      JSON.stringify(details.map(({ specialTokens }) => storedCounts(specialTokens))),
      listOf(details.map(({ routing }) => routing)),
      listOf(details.map(({ trace }) => trace)),
      details.map(({ appTitle }) => appTitle),
      JSON.stringify(details.map(({ appCategories }) => appCategories)),
    ],
  });
}

function storedAttempt(attempt: ReturnType<typeof keptDetails>['attempts'][0]) {
  const { provider, endpointId, errorCode, latencyMs, isByok } = attempt;
  return { provider, endpointId, errorCode, latencyMs: Number(latencyMs), isByok };
}

function storedCounts(counts: ReturnType<typeof keptDetails>['specialTokens']) {
  const stored: Record<string, number> = {};
  for (const name of Object.keys(counts)) stored[name] = Number(counts[name]);
  return stored;
}

/** JSON of texts that are JSON themselves; an empty one is null. */
function listOf(texts: readonly string[]): string {
  return `[${texts.map((one) => (one === '' ? 'null' : one)).join(',')}]`;
}
