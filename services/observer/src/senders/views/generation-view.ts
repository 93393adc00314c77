import { nanoUsdToNumber } from '@sluice/inference';
import type { Shown } from '../../domain/destination.ts';
import type { FinishedGeneration, GuardrailEvent, Tokens } from '../../domain/generation.ts';
import type { Observed } from '../sender.ts';

/** Returns the body of several generations as JSON, for destinations without a form of their own. */
export function generationsBody(batch: readonly Observed[], shows: Shown): string {
  return JSON.stringify({
    type: 'generations.finished',
    generations: batch.map((observed) => generationView(observed, shows)),
  });
}

/**
 * Returns a generation as JSON, for destinations without a form of their own. It has the cost, the identity and the
 * context of the request only if the destination asks for them.
 */
export function generationView({ generation, contents }: Observed, shows: Shown): object {
  const { turns, toolCalls } = generation;
  return {
    id: generation.generationId,
    request_id: generation.requestId,
    session_id: textOf(generation.sessionId),
    user: textOf(generation.externalUser),
    trace: generation.trace,
    api_type: textOf(generation.apiType) ?? 'completions',
    model: generation.model,
    provider: textOf(generation.provider),
    upstream_id: textOf(generation.upstreamId),
    outcome: generation.outcome,
    finish_reason: textOf(generation.finishReason),
    native_finish_reason: textOf(generation.nativeFinishReason),
    error: textOf(generation.errorCode),
    service_tier: textOf(generation.serviceTier),
    data_region: generation.region,
    streamed: generation.streamed,
    is_byok: generation.isByok,
    started_at: instantOf(generation.startedAtMs),
    completed_at: instantOf(generation.completedAtMs),
    latency_ms: generation.latencyMs ?? null,
    tokens: tokensOf(generation.tokens),
    guardrail_invoked: generation.guardrailInvoked,
    guardrail_events: generation.guardrailEvents.map(eventView),
    guardrail_events_omitted: generation.guardrailEventsOmitted,
    response_cache_source_id: textOf(generation.responseCacheSourceId),
    turns: turns.map((turn) => ({
      turn: turn.turn,
      model: turn.model,
      provider: turn.provider,
      outcome: turn.outcome,
      finish_reason: textOf(turn.finishReason),
      started_at: instantOf(turn.startedAtMs),
      completed_at: instantOf(turn.completedAtMs),
      latency_ms: turn.latencyMs ?? null,
      tokens: tokensOf(turn.tokens),
      ...(shows.cost && { cost_usd: nanoUsdToNumber(turn.costNanoUsd) }),
      attempts: turn.attempts.map(({ provider, errorCode, latencyMs }) => ({
        provider,
        error: textOf(errorCode),
        latency_ms: latencyMs,
      })),
    })),
    tool_calls: toolCalls.map((call) => ({
      number: call.number,
      type: call.toolType,
      engine: textOf(call.engine),
      outcome: call.outcome,
      started_at: instantOf(call.startedAtMs),
      completed_at: instantOf(call.completedAtMs),
      ...(shows.cost && { cost_usd: nanoUsdToNumber(call.costNanoUsd) }),
    })),
    ...(shows.cost && { cost: costOf(generation) }),
    ...(shows.identity && { identity: identityOf(generation) }),
    ...(shows.requestContext && { request_context: requestContextOf(generation) }),
    ...(contents && {
      system: contents.system,
      input: contents.input,
      output: contents.output,
      tools: contents.tools,
      is_cut: contents.isCut,
    }),
  };
}

const eventView = ({ guardrailId, guardrailScope, ...event }: GuardrailEvent) => ({
  guardrail_id: guardrailId,
  guardrail_scope: guardrailScope,
  ...event,
});

const costOf = ({ costNanoUsd, feeNanoUsd, isByok }: FinishedGeneration) => ({
  total_usd: nanoUsdToNumber(costNanoUsd),
  ...(isByok && { fee_usd: nanoUsdToNumber(feeNanoUsd) }),
});

const identityOf = ({ accountId, workspaceId, keyHash, keyName, userId }: FinishedGeneration) => ({
  account_id: accountId,
  workspace_id: workspaceId,
  api_key_hash: keyHash,
  api_key_name: textOf(keyName),
  user_id: textOf(userId),
});

const requestContextOf = ({ httpReferer, userAgent, appTitle }: FinishedGeneration) => ({
  http_referer: textOf(httpReferer),
  user_agent: textOf(userAgent),
  app_title: textOf(appTitle),
});

const tokensOf = ({ input, cached, output, reasoning }: Tokens) => ({
  input,
  cached,
  output,
  reasoning,
});

const textOf = (text: string) => (text === '' ? null : text);
const instantOf = (atMs: number) => new Date(atMs).toISOString();
