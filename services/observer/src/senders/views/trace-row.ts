import { nanoUsdToNumber } from '@sluice/inference';
import type { Shown } from '../../domain/destination.ts';
import { traceFieldsOf } from '../otlp/ids.ts';
import type { Observed } from '../sender.ts';
import { inputOf, outputOf } from './said.ts';

/** A generation as a row of a table. Every row has all columns; null: not known, or not asked for. */
export type TraceRow = Readonly<Record<string, string | number | boolean | null>>;

/** Returns the row of a generation, for destinations that are tables. Nested values are JSON. */
export function traceRow({ generation, contents }: Observed, shows: Shown): TraceRow {
  const { traceId, parentSpanId, traceName, metadata } = traceFieldsOf(generation);
  const cost = shows.cost ? nanoUsdToNumber(generation.costNanoUsd) : null;
  const { tokens } = generation;
  return {
    generation_id: generation.generationId,
    trace_id: traceId,
    parent_span_id: parentSpanId ?? null,
    trace_name: traceName ?? null,
    session_id: textOf(generation.sessionId),
    user: textOf(generation.externalUser),
    started_at: instantOf(generation.startedAtMs),
    completed_at: instantOf(generation.completedAtMs),
    latency_ms: generation.latencyMs ?? null,
    api_type: textOf(generation.apiType) ?? 'completions',
    model: generation.model,
    provider: textOf(generation.provider),
    outcome: generation.outcome,
    finish_reason: textOf(generation.finishReason),
    error: textOf(generation.errorCode),
    streamed: generation.streamed,
    is_byok: generation.isByok,
    prompt_tokens: tokens.input,
    completion_tokens: tokens.output,
    cached_tokens: tokens.cached,
    reasoning_tokens: tokens.reasoning,
    total_cost_usd: cost,
    workspace_id: shows.identity ? generation.workspaceId : null,
    api_key_hash: shows.identity ? generation.keyHash : null,
    api_key_name: shows.identity ? textOf(generation.keyName) : null,
    member_id: shows.identity ? textOf(generation.userId) : null,
    http_referer: shows.requestContext ? textOf(generation.httpReferer) : null,
    user_agent: shows.requestContext ? textOf(generation.userAgent) : null,
    tool_calls: JSON.stringify(
      generation.toolCalls.map(({ toolType, outcome }) => ({ type: toolType, outcome })),
    ),
    metadata: JSON.stringify(Object.fromEntries(metadata)),
    input: contents ? JSON.stringify(inputOf(contents)) : null,
    output: contents ? JSON.stringify(outputOf(contents)) : null,
  };
}

const textOf = (text: string) => (text === '' ? null : text);
const instantOf = (atMs: number) => new Date(atMs).toISOString();
