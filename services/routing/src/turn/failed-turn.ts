import type { GenerationFailed } from '@sluice/protos/sluice/generation/v1/generation_events';
import type { Clock } from '@sluice/clock-and-ids';
import { routingText } from '../selection/routing-text.ts';
import type { FailedGeneration } from '../usage/reports/failure-reports.ts';
import type { Beginning } from '../usage/journal/outcome.ts';
import type { HeldTurn } from './turn.ts';

/** The ledger adds the turn. An attempt without output has no id at its provider. */
const unserved = { turn: 0, upstreamId: '', serviceTier: '' };

/** Describes a turn without output: its attempts, and how they were chosen. */
export function failedGeneration(
  { clock }: { readonly clock: Clock },
  { number, generationId, call, held, first, request, labels, plan, cancellation }: HeldTurn,
  attempts: Beginning['attempts'],
): FailedGeneration {
  const { accountId, workspaceId, keyHash } = call.principal;
  return {
    accountId,
    turn: number,
    generation: {
      generationId,
      requestId: call.requestId,
      workspaceId,
      keyHash,
      model: first.model.id,
      provider: '',
      upstreamId: '',
      inputTokens: 0n,
      cachedTokens: 0n,
      outputTokens: 0n,
      reasoningTokens: 0n,
      costNanoUsd: 0n,
      feeNanoUsd: 0n,
      isByok: false,
      streamed: request.stream,
      outcome: cancellation.isClientGone ? 'cancelled' : 'failed',
      finishReason: '',
      nativeFinishReason: '',
      estimated: false,
      admittedAt: held.hold.at.toISOString(),
      completedAt: clock.now().toISOString(),
      latencyMs: undefined,
      ...labels,
      appCategories: [...labels.appCategories],
      moderationLatencyMs:
        labels.moderationLatencyMs === undefined ? undefined : BigInt(labels.moderationLatencyMs),
      endpointId: '',
      attempts: attempts.map((attempt) => ({ ...attempt, ...unserved })),
      routing: routingText(plan),
      serviceTier: '',
      inputMedia: 0n,
      inputAudio: 0n,
      outputMedia: 0n,
      imageOutputTokens: 0n,
      byokNanoUsd: undefined,
      turns: [],
      toolCalls: [],
      responseCacheSourceId: '',
      dataDiscountNanoUsd: undefined,
    },
  };
}

/** Describes the same turn for the bus. */
export function failedFact(
  { clock }: { readonly clock: Clock },
  { number, generationId, call, held, first, request, labels, cancellation }: HeldTurn,
  attempts: Beginning['attempts'],
): Omit<GenerationFailed, 'omitted'> {
  const { accountId, workspaceId, keyHash } = call.principal;
  return {
    failureId: `${generationId}/${String(number)}`,
    generationId,
    turn: number,
    requestId: call.requestId,
    accountId,
    workspaceId,
    keyHash,
    model: first.model.id,
    outcome: cancellation.isClientGone ? 'cancelled' : 'failed',
    errorCode: attempts.at(-1)?.errorCode ?? '',
    attempts: attempts.length,
    streamed: request.stream,
    externalUser: labels.externalUser,
    sessionId: labels.sessionId,
    tried: attempts.map(({ provider, errorCode, latencyMs }) => ({
      provider,
      errorCode,
      latencyMs,
    })),
    trace: labels.trace,
    traceparent: call.traceparent ?? '',
    userId: labels.userId,
    httpReferer: labels.httpReferer,
    userAgent: labels.userAgent,
    appTitle: labels.appTitle,
    apiType: labels.apiType,
    guardrailInvoked: labels.guardrailInvoked,
    moderationLatencyMs:
      labels.moderationLatencyMs === undefined ? undefined : BigInt(labels.moderationLatencyMs),
    hasEnd: labels.hasEnd === true,
    admittedAt: held.hold.at.toISOString(),
    completedAt: clock.now().toISOString(),
  };
}
