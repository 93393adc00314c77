import type { Generation } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { AccountReads } from '@sluice/read-model';
import type { UsageAttempt } from '@sluice/usage-facts';

/** A response has at most 100 turns, and a few attempts in each. */
const factsMax = 1_000;

const text = `
  SELECT usage_id AS "usageId", generation_id AS "generationId", request_id AS "requestId",
    workspace_id AS "workspaceId", key_hash AS "keyHash", model, provider,
    upstream_id AS "upstreamId", input_tokens AS "inputTokens", cached_tokens AS "cachedTokens",
    output_tokens AS "outputTokens", reasoning_tokens AS "reasoningTokens",
    cost_nano_usd AS "costNanoUsd", fee_nano_usd AS "feeNanoUsd", data_discount_nano_usd,
    cache_discount_nano_usd, is_byok AS "isByok",
    streamed, outcome, finish_reason AS "finishReason", estimated, admitted_at, completed_at,
    coalesce(native_finish_reason, '') AS "nativeFinishReason",
    coalesce(endpoint_id, '') AS "endpointId", latency_ms, coalesce(user_id, '') AS "userId",
    coalesce(external_user, '') AS "externalUser", coalesce(session_id, '') AS "sessionId",
    coalesce(http_referer, '') AS "httpReferer", coalesce(user_agent, '') AS "userAgent",
    coalesce(attempts, '[]') AS attempts,
    coalesce(routing::text, '') AS routing, coalesce(service_tier, '') AS "serviceTier",
    coalesce((special_tokens->>'inputMedia')::bigint, 0) AS "inputMedia",
    coalesce((special_tokens->>'inputAudio')::bigint, 0) AS "inputAudio",
    coalesce((special_tokens->>'outputMedia')::bigint, 0) AS "outputMedia",
    coalesce((special_tokens->>'imageOutputTokens')::bigint, 0) AS "imageOutputTokens",
    coalesce(trace::text, '') AS trace, coalesce(app_title, '') AS "appTitle",
    coalesce(app_categories, '[]') AS "appCategories",
    coalesce(guardrail_invoked, false) AS "guardrailInvoked", moderation_latency_ms,
    coalesce(api_type, '') AS "apiType", coalesce(app, '') AS app,
    coalesce(response_cache_source_id, '') AS "responseCacheSourceId",
    coalesce(tool_type, '') AS "toolType", special_tokens AS counts
  FROM usage_facts
  WHERE account_id = $1 AND generation_id = $2
  ORDER BY completed_at, sequence
  LIMIT ${factsMax}`;

/** The values of one fact. */
export type GenerationFact = Omit<
  Generation,
  'attempts' | 'byokNanoUsd' | 'turns' | 'toolCalls'
> & {
  readonly attempts: readonly UsageAttempt[];
};

/** A fact with the id that says what turn it is of. */
export interface CountedPart {
  readonly usageId: string;
  readonly part: GenerationFact;
  /** The type of the tool that was called. Empty: a model was called. */
  readonly toolType: string;
  /** Counts that are not columns, by name. */
  readonly counts: Readonly<Record<string, number>>;
}

type Row = Omit<
  GenerationFact,
  | 'admittedAt'
  | 'completedAt'
  | 'latencyMs'
  | 'moderationLatencyMs'
  | 'attempts'
  | 'dataDiscountNanoUsd'
  | 'cacheDiscountNanoUsd'
> & {
  readonly usageId: string;
  readonly toolType: string;
  readonly counts: Readonly<Record<string, number>> | null;
  readonly admitted_at: Date;
  readonly completed_at: Date;
  readonly latency_ms: bigint | null;
  readonly moderation_latency_ms: bigint | null;
  readonly data_discount_nano_usd: bigint | null;
  readonly cache_discount_nano_usd: bigint | null;
  readonly attempts: readonly StoredAttempt[];
};
/** An attempt of an early release has no isByok: the fact says whether an own credential was used. */
type StoredAttempt = Omit<UsageAttempt, 'latencyMs' | 'isByok'> & {
  readonly latencyMs: number;
  readonly isByok?: boolean;
};

/** Reads the counted facts of a generation of the account, oldest first. */
export async function readGeneration(
  readModel: AccountReads,
  { accountId, generationId }: { readonly accountId: string; readonly generationId: string },
): Promise<readonly CountedPart[]> {
  const values = [accountId, generationId];
  const rows = await readModel
    .forAccount(accountId)
    .query<Row>({ name: 'read-generation', text, values });
  return rows.map(generationFact);
}

function generationFact({
  usageId,
  admitted_at,
  completed_at,
  latency_ms,
  moderation_latency_ms,
  data_discount_nano_usd,
  cache_discount_nano_usd,
  attempts,
  toolType,
  counts,
  ...row
}: Row): CountedPart {
  const part = {
    ...row,
    admittedAt: admitted_at.toISOString(),
    completedAt: completed_at.toISOString(),
    latencyMs: latency_ms ?? undefined,
    moderationLatencyMs: moderation_latency_ms ?? undefined,
    dataDiscountNanoUsd: data_discount_nano_usd ?? undefined,
    cacheDiscountNanoUsd: cache_discount_nano_usd ?? undefined,
    attempts: attempts.map(({ latencyMs, isByok = row.isByok, ...attempt }) => ({
      ...attempt,
      isByok,
      latencyMs: BigInt(latencyMs),
    })),
  };
  return { usageId, part, toolType, counts: counts ?? {} };
}
