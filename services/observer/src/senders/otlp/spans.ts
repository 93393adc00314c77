import { SpanKind } from '@opentelemetry/api';
import { nanoUsdToNumber } from '@sluice/inference';
import type { Contents } from '@sluice/generation-contents';
import type { Shown } from '../../domain/destination.ts';
import type {
  FinishedGeneration,
  GenerationToolCall,
  GenerationTurn,
} from '../../domain/generation.ts';
import type { Observed } from '../sender.ts';
import { guardrailEvents } from './guardrail-events.ts';
import { spanIdOf, type TraceFields, traceFieldsOf } from './ids.ts';
import { type Attributes, span } from './span.ts';

type Span = ReturnType<typeof span>;

/** Attributes that a destination reads beside those of the semantic conventions. */
export interface Dialect {
  /** For the span of the request. */
  readonly request?: (observed: Observed, trace: TraceFields) => Attributes;
  /** For the span of the last model call, which has the contents. */
  readonly generation?: (observed: Observed, trace: TraceFields) => Attributes;
}

interface Parent {
  readonly traceId: string;
  readonly spanId: string;
}

const metadataMax = 50;
const metadataCharactersMax = 2_048;

/**
 * Returns the spans of a generation: the request, its model calls with their attempts, and its tool calls. They follow
 * the semantic conventions for generative AI. The same generation gives the same spans each time.
 */
export function spansOf(observed: Observed, shows: Shown, dialect: Dialect = {}): readonly Span[] {
  const { generation } = observed;
  const { generationId } = generation;
  const trace = traceFieldsOf(generation);
  const spanId = spanIdOf(generationId, 'request');
  const parent = { traceId: trace.traceId, spanId };
  const lastTurn = generation.turns.at(-1);
  return [
    requestSpan(observed, { trace, spanId, shows, dialect }),
    ...generation.turns.flatMap((turn) =>
      turnSpans(observed, turn, { parent, trace, shows, dialect, isLast: turn === lastTurn }),
    ),
    ...generation.toolCalls.map((call) => toolSpan(generation, call, { parent, shows })),
  ];
}

interface RequestParts {
  readonly trace: TraceFields;
  readonly spanId: string;
  readonly shows: Shown;
  readonly dialect: Dialect;
}

function requestSpan(observed: Observed, { trace, spanId, shows, dialect }: RequestParts): Span {
  const { generation, contents } = observed;
  const { traceId, parentSpanId, traceName, spanName, metadata } = trace;
  // A generation without a model call that is known has its contents here.
  const own = generation.turns.length === 0 ? contentsOf(contents) : {};
  return span({
    traceId,
    spanId,
    parentSpanId,
    name: spanName ?? traceName ?? `${operationOf(generation)} ${generation.model}`,
    kind: SpanKind.SERVER,
    startMs: generation.startedAtMs,
    endMs: generation.completedAtMs,
    failure: failureOf(generation.outcome, generation.errorCode),
    attributes: {
      'sluice.generation.id': generation.generationId,
      'sluice.request.id': generation.requestId,
      'sluice.outcome': generation.outcome,
      'sluice.streamed': generation.streamed,
      'sluice.is_byok': generation.isByok,
      'sluice.data_region': generation.region,
      'sluice.moderation.latency_ms': generation.moderationLatencyMs,
      'sluice.guardrail.events_omitted': generation.guardrailEventsOmitted || undefined,
      'sluice.response_cache.source_id': generation.responseCacheSourceId,
      'gen_ai.conversation.id': generation.sessionId,
      'session.id': generation.sessionId,
      'user.id': generation.externalUser,
      'error.type': generation.errorCode,
      'trace.name': traceName,
      ...Object.fromEntries(metadata.slice(0, metadataMax).map(metadataOf)),
      ...(shows.cost && costOf(generation)),
      ...(shows.identity && identityOf(generation)),
      ...(shows.requestContext && requestContextOf(generation)),
      ...own,
      ...dialect.request?.(observed, trace),
    },
    events: guardrailEvents(generation),
  });
}

interface TurnParts {
  readonly parent: Parent;
  readonly trace: TraceFields;
  readonly shows: Shown;
  readonly dialect: Dialect;
  readonly isLast: boolean;
}

function turnSpans(
  observed: Observed,
  turn: GenerationTurn,
  { parent, trace, shows, dialect, isLast }: TurnParts,
): readonly Span[] {
  const { generation, contents } = observed;
  const { generationId } = generation;
  const operation = operationOf(generation);
  const step = `turn/${String(turn.turn)}`;
  const spanId = spanIdOf(generationId, step);
  const { tokens } = turn;
  const whole = span({
    traceId: parent.traceId,
    spanId,
    parentSpanId: parent.spanId,
    name: trace.generationName ?? `${operation} ${turn.model}`,
    kind: SpanKind.CLIENT,
    startMs: turn.startedAtMs,
    endMs: turn.completedAtMs,
    failure: failureOf(turn.outcome, isLast ? generation.errorCode : ''),
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': turn.provider,
      'gen_ai.request.model': turn.model,
      'gen_ai.response.model': turn.model,
      'gen_ai.response.id': turn.upstreamId,
      'gen_ai.response.finish_reasons': turn.finishReason === '' ? undefined : [turn.finishReason],
      'gen_ai.usage.input_tokens': tokens.input,
      'gen_ai.usage.output_tokens': tokens.output,
      'gen_ai.usage.cache_read.input_tokens': tokens.cached,
      'gen_ai.usage.reasoning.output_tokens': tokens.reasoning,
      'gen_ai.response.time_to_first_chunk':
        turn.latencyMs === undefined ? undefined : turn.latencyMs / 1_000,
      'gen_ai.conversation.id': generation.sessionId,
      'sluice.turn': turn.turn,
      'sluice.service_tier': isLast ? generation.serviceTier : '',
      ...(shows.cost && { 'gen_ai.usage.cost': nanoUsdToNumber(turn.costNanoUsd) }),
      ...(isLast && contentsOf(contents)),
      ...(isLast && dialect.generation?.(observed, trace)),
    },
  });
  return [whole, ...attemptSpans(generationId, turn, { traceId: parent.traceId, spanId })];
}

/** The attempts of a turn, one after the other. The last one answered, unless it has an error. */
function attemptSpans(generationId: string, turn: GenerationTurn, parent: Parent): readonly Span[] {
  let startMs = turn.startedAtMs;
  return turn.attempts.map(({ provider, errorCode, latencyMs }, index) => {
    const isLast = index === turn.attempts.length - 1;
    const endMs = isLast && errorCode === '' ? turn.completedAtMs : startMs + latencyMs;
    const attempt = span({
      traceId: parent.traceId,
      spanId: spanIdOf(generationId, `turn/${String(turn.turn)}/attempt/${String(index + 1)}`),
      parentSpanId: parent.spanId,
      name: `attempt ${provider}`,
      kind: SpanKind.CLIENT,
      startMs,
      endMs,
      failure: errorCode === '' ? undefined : errorCode,
      attributes: {
        'sluice.attempt': index + 1,
        'sluice.attempt.provider': provider,
        'error.type': errorCode,
      },
    });
    startMs = endMs;
    return attempt;
  });
}

function toolSpan(
  { generationId }: FinishedGeneration,
  call: GenerationToolCall,
  { parent, shows }: { readonly parent: Parent; readonly shows: Shown },
): Span {
  return span({
    traceId: parent.traceId,
    spanId: spanIdOf(generationId, `tool/${String(call.number)}`),
    parentSpanId: parent.spanId,
    name: `execute_tool ${call.toolType}`,
    kind: SpanKind.INTERNAL,
    startMs: call.startedAtMs,
    endMs: call.completedAtMs,
    failure: failureOf(call.outcome, ''),
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.toolType,
      'gen_ai.tool.type': 'extension',
      'sluice.tool.engine': call.engine,
      ...(shows.cost && { 'sluice.cost.total_usd': nanoUsdToNumber(call.costNanoUsd) }),
    },
  });
}

function operationOf({ apiType }: FinishedGeneration): string {
  return apiType === '' ? 'chat' : apiType;
}

function failureOf(outcome: string, errorCode: string): string | undefined {
  if (outcome !== 'failed' && outcome !== 'interrupted') return undefined;
  return errorCode === '' ? outcome : errorCode;
}

/** The attributes of the conventions for messages, which are JSON. */
export function contentsOf(contents: Contents | undefined): Attributes {
  if (!contents) return {};
  const { system, input, output, tools, isCut } = contents;
  return {
    'gen_ai.system_instructions': system.length > 0 ? JSON.stringify(system) : undefined,
    'gen_ai.input.messages': JSON.stringify(input),
    'gen_ai.output.messages': JSON.stringify(output),
    'gen_ai.tool.definitions': tools.length > 0 ? JSON.stringify(tools) : undefined,
    'sluice.contents.cut': isCut ? true : undefined,
  };
}

function metadataOf([name, value]: readonly [string, unknown]): [
  string,
  string | number | boolean,
] {
  const key = `trace.metadata.${name.slice(0, 128)}`;
  if (typeof value === 'number' || typeof value === 'boolean') return [key, value];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [key, text.slice(0, metadataCharactersMax)];
}

function costOf({ costNanoUsd, feeNanoUsd, isByok }: FinishedGeneration): Attributes {
  return {
    'sluice.cost.total_usd': nanoUsdToNumber(costNanoUsd),
    'sluice.cost.fee_usd': isByok ? nanoUsdToNumber(feeNanoUsd) : undefined,
  };
}

function identityOf(generation: FinishedGeneration): Attributes {
  return {
    'sluice.account.id': generation.accountId,
    'sluice.workspace.id': generation.workspaceId,
    'sluice.api_key.hash': generation.keyHash,
    'sluice.api_key.name': generation.keyName,
    'sluice.member.id': generation.userId,
  };
}

function requestContextOf({ httpReferer, userAgent, appTitle }: FinishedGeneration): Attributes {
  return {
    'http.request.header.referer': httpReferer,
    'user_agent.original': userAgent,
    'sluice.app.title': appTitle,
  };
}
