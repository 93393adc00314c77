import { catalog, isErrorCode } from '@sluice/errors';
import { nanoUsdToNumber } from '@sluice/inference';
import type {
  Generation,
  GenerationAttempt,
  GenerationToolCall,
  GenerationTurn,
} from '@sluice/protos/sluice/ledger/v1/ledger';
import { endpointIdOf } from '../../http/request/endpoint-id.ts';
import type { GenerationView } from './schema.ts';

/** Returns the public form of a generation. Unknown fields are null. */
export function generationView(generation: Generation): GenerationView {
  const routing = routingView(generation.routing);
  return {
    id: generation.generationId,
    request_id: generation.requestId || null,
    session_id: generation.sessionId || null,
    created_at: generation.admittedAt,
    api_type: generation.apiType || 'completions',
    model: generation.model,
    router: routing?.router?.slug ?? null,
    preset_id: routing?.preset?.id ?? null,
    provider_name: generation.provider || null,
    provider_responses: attemptsView(generation),
    streamed: generation.streamed,
    cancelled: generation.outcome === 'cancelled',
    ...timesView(generation),
    ...endView(generation),
    ...tokensView(generation),
    ...toolsView(generation.toolCalls),
    turns: generation.turns.map(turnView),
    tool_calls: generation.toolCalls.map(toolCallView),
    ...costView(generation),
    service_tier: generation.serviceTier || null,
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
    response_cache_source_id: generation.responseCacheSourceId || null,
    workspace_id: generation.workspaceId || null,
    routing,
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
}: Pick<
  Generation,
  'latencyMs' | 'moderationLatencyMs' | 'admittedAt' | 'completedAt' | 'outcome'
>) {
  const durationMs = Date.parse(completedAt) - Date.parse(admittedAt);
  return {
    latency: latencyMs === undefined ? null : Number(latencyMs),
    generation_time: outcome === 'interrupted' ? null : Math.max(0, durationMs),
    moderation_latency: moderationLatencyMs === undefined ? null : Number(moderationLatencyMs),
  };
}

function endView(generation: Generation) {
  const { nativeFinishReason } = generation;
  return {
    finish_reason: finishReasonOf(generation),
    native_finish_reason: nativeFinishReason || null,
  };
}

function finishReasonOf({
  finishReason,
  outcome,
}: Pick<Generation, 'finishReason' | 'outcome'>): string | null {
  const reason = outcome === 'failed' ? 'error' : finishReason.replaceAll('-', '_');
  return reason || null;
}

function turnView(turn: GenerationTurn): GenerationView['turns'][number] {
  const { costNanoUsd, feeNanoUsd, isByok } = turn;
  const { latency, generation_time } = timesView({ ...turn, moderationLatencyMs: undefined });
  return {
    turn: turn.turn,
    model: turn.model,
    provider_name: turn.provider || null,
    status: turn.outcome,
    finish_reason: finishReasonOf(turn),
    created_at: turn.admittedAt,
    latency,
    generation_time,
    tokens_prompt: Number(turn.inputTokens),
    tokens_completion: Number(turn.outputTokens),
    cost: nanoUsdToNumber(isByok ? feeNanoUsd : costNanoUsd),
    is_byok: isByok,
  };
}

function toolCallView(call: GenerationToolCall): GenerationView['tool_calls'][number] {
  const { latencyMs, costNanoUsd, isByok } = call;
  return {
    number: call.number,
    type: call.toolType,
    engine: call.engine || null,
    status: call.outcome,
    created_at: call.admittedAt,
    latency: latencyMs === undefined ? null : Number(latencyMs),
    cost: isByok ? 0 : nanoUsdToNumber(costNanoUsd),
    is_byok: isByok,
    counts: Object.fromEntries(
      Object.entries(call.counts).map(([name, count]) => [name, Number(count)]),
    ),
  };
}

const webSearch = 'service:web_search';

function toolsView(calls: readonly GenerationToolCall[]) {
  const sumOf = (name: string, of: readonly GenerationToolCall[]) =>
    of.length === 0 ? null : Number(of.reduce((sum, one) => sum + (one.counts[name] ?? 0n), 0n));
  const searches = calls.filter(({ toolType }) => toolType === webSearch);
  return {
    web_search_engine: searches.at(-1)?.engine || null,
    num_search_results: sumOf('searchResults', searches),
    num_fetches: sumOf(
      'fetches',
      calls.filter(({ counts }) => counts['fetches'] !== undefined),
    ),
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
  };
}

/**
 * With an own provider key the account's credits pay a fee at most, and the cost is the list price. One turn may have
 * used such a key and another one not.
 */
function costView({
  costNanoUsd,
  feeNanoUsd,
  isByok,
  byokNanoUsd,
  toolCalls,
  dataDiscountNanoUsd,
  cacheDiscountNanoUsd,
}: Generation) {
  const byok = byokNanoUsd ?? (isByok ? costNanoUsd : 0n);
  const paid = nanoUsdToNumber(costNanoUsd - byok + feeNanoUsd);
  // An own key of a search engine is in the same sum, and pays for no inference.
  const ofEngines = toolCalls.reduce((sum, one) => sum + (one.isByok ? one.costNanoUsd : 0n), 0n);
  const inference = byok - ofEngines;
  return {
    is_byok: isByok,
    usage: paid,
    total_cost: paid,
    upstream_inference_cost: isByok || inference > 0n ? nanoUsdToNumber(inference) : null,
    cache_discount:
      cacheDiscountNanoUsd === undefined ? null : nanoUsdToNumber(cacheDiscountNanoUsd),
    data_discount: dataDiscountNanoUsd === undefined ? null : nanoUsdToNumber(dataDiscountNanoUsd),
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
