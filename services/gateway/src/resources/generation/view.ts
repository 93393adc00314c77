import { catalog, isErrorCode } from '@sluice/errors';
import { nanoUsdToNumber } from '@sluice/inference';
import type { Generation, GenerationAttempt } from '@sluice/protos/sluice/ledger/v1/ledger';
import { endpointIdOf } from '../../http/request/endpoint-id.ts';
import type { GenerationView } from './schema.ts';

/** Returns the public form of a generation. Unknown fields are null. */
export function generationView(generation: Generation): GenerationView {
  return {
    id: generation.generationId,
    request_id: generation.requestId || null,
    session_id: generation.sessionId || null,
    created_at: generation.admittedAt,
    api_type: generation.apiType || 'completions',
    model: generation.model,
    router: null,
    preset_id: null,
    provider_name: generation.provider || null,
    provider_responses: attemptsView(generation),
    streamed: generation.streamed,
    cancelled: generation.outcome === 'cancelled',
    ...timesView(generation),
    ...endView(generation),
    ...tokensView(generation),
    ...costView(generation),
    service_tier: generation.serviceTier || null,
    web_search_engine: null,
    data_region: 'global',
    app_id: null,
    origin: originOf(generation.httpReferer),
    http_referer: generation.httpReferer || null,
    user_agent: generation.userAgent || null,
    app: generation.app || null,
    app_title: generation.appTitle || null,
    app_categories: generation.appCategories,
    guardrail_invoked: generation.guardrailInvoked,
    external_user: generation.externalUser || null,
    upstream_id: generation.upstreamId || null,
    response_cache_source_id: null,
    workspace_id: generation.workspaceId || null,
    routing: routingView(generation.routing),
    trace: traceView(generation.trace),
  };
}

/** Parses the routing. It was checked to be JSON before it was kept. */
function routingView(text: string): GenerationView['routing'] {
  return text === '' ? null : (JSON.parse(text) as GenerationView['routing']);
}

/** Parses the trace. It was checked to be JSON before it was kept. */
function traceView(text: string): GenerationView['trace'] {
  return text === '' ? null : (JSON.parse(text) as GenerationView['trace']);
}

/** Undefined latency: not known. How long it took is not known where a crash was in between. */
function timesView({
  latencyMs,
  moderationLatencyMs,
  admittedAt,
  completedAt,
  outcome,
}: Generation) {
  const durationMs = Date.parse(completedAt) - Date.parse(admittedAt);
  return {
    latency: latencyMs === undefined ? null : Number(latencyMs),
    generation_time: outcome === 'interrupted' ? null : Math.max(0, durationMs),
    moderation_latency: moderationLatencyMs === undefined ? null : Number(moderationLatencyMs),
  };
}

function endView({ finishReason, nativeFinishReason, outcome }: Generation) {
  const reason = outcome === 'failed' ? 'error' : finishReason.replaceAll('-', '_');
  return {
    finish_reason: reason || null,
    native_finish_reason: nativeFinishReason || null,
  };
}

/** Counts that are ours are no native ones. */
function tokensView(generation: Generation) {
  const { inputTokens, outputTokens, reasoningTokens, cachedTokens, estimated } = generation;
  const native = (count: bigint) => (estimated ? null : Number(count));
  return {
    tokens_prompt: Number(inputTokens),
    tokens_completion: Number(outputTokens),
    native_tokens_prompt: native(inputTokens),
    native_tokens_completion: native(outputTokens),
    native_tokens_completion_images: native(generation.imageOutputTokens),
    native_tokens_reasoning: native(reasoningTokens),
    native_tokens_cached: native(cachedTokens),
    num_media_prompt: Number(generation.inputMedia),
    num_media_completion: Number(generation.outputMedia),
    num_input_audio_prompt: Number(generation.inputAudio),
    num_search_results: null,
    num_fetches: null,
  };
}

/**
 * With an own provider key the account's credits pay a fee at most, and the cost is the list price. One turn may have
 * used such a key and another one not.
 */
function costView({ costNanoUsd, feeNanoUsd, isByok, byokNanoUsd }: Generation) {
  const byok = byokNanoUsd ?? (isByok ? costNanoUsd : 0n);
  const paid = nanoUsdToNumber(costNanoUsd - byok + feeNanoUsd);
  return {
    is_byok: isByok,
    usage: paid,
    total_cost: paid,
    upstream_inference_cost: isByok || byok > 0n ? nanoUsdToNumber(byok) : null,
    cache_discount: null,
  };
}

function attemptsView(generation: Generation): GenerationView['provider_responses'] {
  const { attempts, model, routing } = generation;
  if (attempts.length === 0) return null;
  // Attempts do not name their model. The candidates of the routing do.
  const candidates = attempts.length > 1 ? (routingView(routing)?.candidates ?? []) : [];
  const models = new Map(candidates.map((one) => [one.endpoint_id, one.model]));
  return attempts.map((attempt) => ({
    id: attempt.upstreamId || null,
    endpoint_id: endpointIdOf({ ...attempt, model }),
    model_permaslug: models.get(attempt.endpointId) ?? model,
    provider_name: attempt.provider,
    status: statusOf(attempt),
    latency: Number(attempt.latencyMs),
    is_byok: attempt.isByok,
    routed_service_tier: attempt.serviceTier || null,
  }));
}

const okStatus = 200;

/** Returns the status of a failure in this API. */
function statusOf({ errorCode }: GenerationAttempt): number | null {
  if (errorCode === '') return okStatus;
  return isErrorCode(errorCode) ? catalog[errorCode].http : null;
}

/** Empty: the client named no page that it stands on. */
function originOf(referer: string): string {
  const origin = URL.parse(referer)?.origin;
  return origin === undefined || origin === 'null' ? '' : origin;
}
