import type { FinishReason, StreamPart, TokenUsage } from '@sluice/inference';
import { servedTier } from './served-tier.ts';
import { emptyPart } from './upstream-error.ts';

interface Ending {
  readonly reason: FinishReason;
  readonly nativeReason: string | undefined;
  readonly usage: TokenUsage | undefined;
  /** Any part was told. */
  readonly hasOutput: boolean;
  /** The tier that served it in the upstream's word, when it says so. */
  readonly serviceTier?: unknown;
}

/**
 * How a generation that ended by itself ends in parts. One that said nothing, and counts no output,
 * is an error: another endpoint may do better.
 */
export function finishPart(ending: Ending): StreamPart {
  const { reason, nativeReason, usage, hasOutput, serviceTier } = ending;
  const tier = servedTier(serviceTier);
  const isCut = reason === 'length' || reason === 'content-filter';
  if (!hasOutput && !isCut && (usage?.outputTokens ?? 0) === 0) return emptyPart(usage);
  return {
    type: 'finish',
    reason,
    nativeReason,
    usage,
    ...(tier !== undefined && { serviceTier: tier }),
  };
}
