import type { Prices } from '@sluice/inference';
import type { ToolCharge } from '../tools/tool.ts';
import type { Outcome } from '../usage/journal/outcome.ts';

interface Ended {
  readonly isFailed: boolean;
  readonly latencyMs: number;
  readonly completedAt: Date;
}

const attoPerNano = 1_000_000_000n;
const noUsage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/** The prices of a free call. */
const free = newPrices(0n);

/** Returns the prices at which a call of a tool costs the amount: a call uses no tokens. */
export function pricesOfTool(costNanoUsd: bigint): Prices {
  return costNanoUsd === 0n ? free : newPrices(costNanoUsd);
}

function newPrices(costNanoUsd: bigint): Prices {
  return {
    inputTokenAttoUsd: 0n,
    cachedTokenAttoUsd: 0n,
    outputTokenAttoUsd: 0n,
    requestAttoUsd: costNanoUsd * attoPerNano,
  };
}

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
