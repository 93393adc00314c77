import type { FinishReason, StopDetails, StreamPart, TokenUsage } from '@sluice/inference';
import { servedTier } from './served-tier.ts';
import { emptyPart } from './upstream-error.ts';

interface Ending {
  readonly reason: FinishReason;
  readonly nativeReason: string | undefined;
  readonly usage: TokenUsage | undefined;
  /** At least one part was emitted. */
  readonly hasOutput: boolean;
  /** The upstream's name of the tier that served the request, if it reports one. */
  readonly serviceTier?: unknown;
  /** The stop sequence that ended the answer, unchecked. */
  readonly stopSequence?: unknown;
  /** The upstream's words about its refusal. */
  readonly stopDetails?: StopDetails | undefined;
}

/**
 * Returns the last part of a generation that ended by itself. A generation without parts and without counted output
 * is an error, so that routing can try another endpoint.
 */
export function finishPart(ending: Ending): StreamPart {
  const { reason, nativeReason, usage, hasOutput, serviceTier, stopSequence, stopDetails } = ending;
  const tier = servedTier(serviceTier);
  const isCut = reason === 'length' || reason === 'content-filter';
  if (!hasOutput && !isCut && (usage?.outputTokens ?? 0) === 0) return emptyPart(usage);
  return {
    type: 'finish',
    reason,
    nativeReason,
    usage,
    ...(typeof stopSequence === 'string' && { stopSequence }),
    ...(stopDetails && { stopDetails }),
    ...(tier !== undefined && { serviceTier: tier }),
  };
}
