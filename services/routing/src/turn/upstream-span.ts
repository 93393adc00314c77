import type { InferenceRequest } from '@sluice/inference';
import type { InferenceCall } from '@sluice/inference-port';
import { type ActiveSpan, spanAttributes, type Tracing } from '@sluice/telemetry';
import type { Outcome } from '../usage/journal/outcome.ts';
import type { Intent } from '../usage/journal/record.ts';

interface UpstreamCall {
  readonly call: InferenceCall;
  readonly request: InferenceRequest;
  readonly intent: Intent;
}

/** Starts the span of one call of a provider, with OpenTelemetry's attributes of GenAI clients and our ids. */
export function startUpstreamSpan(
  tracing: Tracing,
  { call, request, intent }: UpstreamCall,
): ActiveSpan {
  const operation = operationOf(request);
  const { model, provider } = intent;
  return tracing.start(`${operation} ${model}`, {
    kind: 'client',
    parent: call.traceparent,
    attributes: () => ({
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'gen_ai.request.stream': request.stream,
      ...(request.maxOutputTokens !== undefined && {
        'gen_ai.request.max_tokens': request.maxOutputTokens,
      }),
      [spanAttributes.requestId]: intent.requestId,
      [spanAttributes.generationId]: intent.generationId,
      [spanAttributes.usageId]: intent.usageId,
      [spanAttributes.accountId]: intent.accountId,
      [spanAttributes.workspaceId]: intent.workspaceId,
      [spanAttributes.keyHash]: intent.keyHash,
    }),
  });
}

/** Ends the span of a call that gave output. It covers the answer to its end. */
export function endUpstreamSpan(span: ActiveSpan, ended: Outcome): void {
  span.set(() => {
    const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = ended.usage;
    const finishReason = ended.nativeFinishReason ?? ended.finishReason;
    return {
      ...(ended.upstreamId !== undefined && { 'gen_ai.response.id': ended.upstreamId }),
      ...(finishReason !== '' && { 'gen_ai.response.finish_reasons': [finishReason] }),
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': outputTokens,
      'gen_ai.usage.cache_read.input_tokens': cachedTokens,
      'gen_ai.usage.reasoning.output_tokens': reasoningTokens,
    };
  });
  const isWhole = ended.outcome === 'completed' || ended.outcome === 'incomplete';
  span.end(isWhole ? undefined : ended.outcome);
}

function operationOf({ embedding, ranking }: InferenceRequest): string {
  if (embedding) return 'embeddings';
  return ranking ? 'rerank' : 'chat';
}
