import type { ToolCharge } from '../tools/tool.ts';
import type { Outcome } from '../usage/journal/outcome.ts';

interface Ended {
  readonly isFailed: boolean;
  readonly latencyMs: number;
  readonly completedAt: Date;
}

const noUsage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/**
 * Returns the outcome of a call of a tool, in the words of a model call: one whose cost is not known ended like a whole
 * answer that was sent and never read.
 */
export function toolOutcome(
  { costNanoUsd, upstreamId, counts = {} }: ToolCharge,
  { isFailed, latencyMs, completedAt }: Ended,
): Outcome {
  const isUnknown = costNanoUsd === 'unknown';
  return {
    outcome: isFailed || isUnknown ? 'failed' : 'completed',
    finishReason: isUnknown ? '' : isFailed ? 'error' : 'stop',
    usage: noUsage,
    isEstimated: isUnknown,
    isDeclaredFailure: false,
    isUnanswered: isUnknown,
    upstreamId,
    toolCounts: counts,
    beginning: { latencyMs, attempts: [], routing: '' },
    completedAt,
  };
}
