import type { FinishReason, StreamPart, TokenUsage } from '@sluice/inference';
import { emptyPart } from './upstream-error.ts';

interface Ending {
  readonly reason: FinishReason;
  readonly nativeReason: string | undefined;
  readonly usage: TokenUsage | undefined;
  /** Any part was told. */
  readonly hasOutput: boolean;
  /** The tier that served it, when the upstream says so. */
  readonly serviceTier?: string | undefined;
}

/**
 * How a generation that ended by itself ends in parts. One that said nothing, and counts no output,
 * is an error: another endpoint may do better.
 */
export function finishPart(ending: Ending): StreamPart {
  const { reason, nativeReason, usage, hasOutput, serviceTier } = ending;
  const isCut = reason === 'length' || reason === 'content-filter';
  if (!hasOutput && !isCut && (usage?.outputTokens ?? 0) === 0) return emptyPart(usage);
  return {
    type: 'finish',
    reason,
    nativeReason,
    usage,
    ...(serviceTier !== undefined && { serviceTier }),
  };
}
