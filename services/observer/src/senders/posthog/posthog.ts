import { nanoUsdToNumber } from '@sluice/inference';
import type { Shown } from '../../domain/destination.ts';
import type { FinishedGeneration } from '../../domain/generation.ts';
import { textId } from '../batch-id.ts';
import { spanIdOf, traceFieldsOf } from '../otlp/ids.ts';
import type { Observed, Sender } from '../sender.ts';
import { setting } from '../setting.ts';
import { inputOf, outputOf } from '../views/said.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Captures events of PostHog's LLM analytics: a trace for each request, its generation, and its tool calls. */
export const posthog: Sender = {
  batchMax: 50,
  requests(destination, batch) {
    const { shows } = destination;
    const request = {
      url: `${setting(destination, 'endpoint').replace(/\/+$/, '')}/batch/`,
      method: 'POST' as const,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        api_key: setting(destination, 'apiKey'),
        batch: batch.flatMap((observed) => eventsOf(observed, shows)),
      }),
    };
    return Promise.resolve([request]);
  },
};

function eventsOf(observed: Observed, shows: Shown): readonly object[] {
  const { generation } = observed;
  const trace = traceFieldsOf(generation);
  const { generationId, externalUser } = generation;
  const parent = spanIdOf(generationId, 'request');
  const event = (name: string, step: string, properties: Properties, atMs: number) => ({
    event: name,
    // PostHog takes an event with a known id once.
    uuid: textId(`posthog/${generationId}/${step}`),
    distinct_id: externalUser === '' ? trace.traceId : externalUser,
    timestamp: new Date(atMs).toISOString(),
    properties: {
      $ai_trace_id: trace.traceId,
      $ai_session_id: orNull(generation.sessionId),
      ...(externalUser === '' && { $process_person_profile: false }),
      ...properties,
    },
  });
  return [
    event('$ai_generation', 'generation', generationOf(observed, shows), generation.completedAtMs),
    ...generation.toolCalls.map((call) =>
      event(
        '$ai_span',
        `tool/${call.number}`,
        {
          $ai_span_id: spanIdOf(generationId, `tool/${call.number}`),
          $ai_parent_id: parent,
          $ai_span_name: call.toolType,
          $ai_latency: (call.completedAtMs - call.startedAtMs) / 1_000,
          $ai_is_error: call.outcome === 'failed',
          ...(shows.cost && { $ai_total_cost_usd: nanoUsdToNumber(call.costNanoUsd) }),
        },
        call.completedAtMs,
      ),
    ),
  ];
}

function generationOf({ generation, contents }: Observed, shows: Shown): Properties {
  const { generationId, tokens } = generation;
  const { traceName, spanName, generationName, parentSpanId, metadata } = traceFieldsOf(generation);
  const isFailed = generation.outcome === 'failed' || generation.outcome === 'interrupted';
  return {
    ...Object.fromEntries(metadata),
    $ai_span_id: spanIdOf(generationId, 'request'),
    $ai_parent_id: parentSpanId ?? null,
    $ai_span_name: generationName ?? spanName ?? traceName ?? null,
    $ai_model: generation.model,
    $ai_provider: orNull(generation.provider),
    $ai_input_tokens: tokens.input,
    $ai_output_tokens: tokens.output,
    $ai_cache_read_input_tokens: tokens.cached,
    $ai_reasoning_tokens: tokens.reasoning,
    $ai_latency: (generation.completedAtMs - generation.startedAtMs) / 1_000,
    $ai_stream: generation.streamed,
    $ai_is_error: isFailed,
    ...(isFailed && { $ai_error: orNull(generation.errorCode) }),
    $ai_stop_reason: orNull(generation.finishReason),
    ...(generation.latencyMs !== undefined && {
      $ai_time_to_first_token: generation.latencyMs / 1_000,
    }),
    ...(contents && { $ai_input: inputOf(contents), $ai_output_choices: outputOf(contents) }),
    ...(shows.cost && { $ai_total_cost_usd: nanoUsdToNumber(generation.costNanoUsd) }),
    ...(shows.identity && identityOf(generation)),
    ...(shows.requestContext && {
      http_referer: orNull(generation.httpReferer),
      user_agent: orNull(generation.userAgent),
    }),
  };
}

const identityOf = ({ workspaceId, keyHash, keyName, userId }: FinishedGeneration) => ({
  workspace_id: workspaceId,
  api_key_hash: keyHash,
  api_key_name: orNull(keyName),
  member_id: orNull(userId),
});

const orNull = (text: string) => (text === '' ? null : text);
