import type { TokenUsage } from '@sluice/inference';
import type { UsageAttempt } from '@sluice/usage-facts';
import type { ServiceTier } from '@sluice/catalog';
import type { Intent, Progress } from './record.ts';

export type EstimateReason = 'interrupted' | 'broken_off' | 'no_usage' | 'absurd_usage';

/** How an attempt ended, and what it used. */
export interface Outcome {
  readonly outcome: 'completed' | 'incomplete' | 'failed' | 'cancelled' | 'interrupted';
  /** The reason in our words; empty when the end never came. */
  readonly finishReason: string;
  readonly usage: TokenUsage;
  /** The counts are ours: the upstream gave none. */
  readonly isEstimated: boolean;
  /** Why they are; `no_usage` when absent. */
  readonly estimateReason?: EstimateReason | undefined;
  /** The usage that the upstream sent, as it came, where it cannot be true. */
  readonly providerUsage?: string | undefined;
  /** The provider itself said that the generation failed. */
  readonly isDeclaredFailure: boolean;
  /** No part of an answer was read: it may have been made all the same. */
  readonly isUnanswered?: boolean;
  readonly upstreamId: string | undefined;
  /** The upstream's own word for the reason; absent when it gave none. */
  readonly nativeFinishReason?: string | undefined;
  /** As the upstream told it; absent when it did not. */
  readonly serviceTier?: ServiceTier | undefined;
  /** Media of the input; absent when it is not known. */
  readonly inputMedia?: { readonly mediaCount: number; readonly audioCount: number } | undefined;
  /** Pictures that were made; absent: none. */
  readonly outputMedia?: number;
  /** Absent when the process that saw it died. */
  readonly beginning?: Beginning | undefined;
  readonly completedAt: Date;
}

/** How it came to the first output, or to the failure before any. */
export interface Beginning {
  /** From the admission to the first output; absent: there was none. */
  readonly latencyMs?: number | undefined;
  /** In order; the last one is the attempt itself. */
  readonly attempts: readonly UsageAttempt[];
  /** JSON: how whom to try was chosen. */
  readonly routing: string;
}

/** Returns the outcome of an attempt that a crash cut off, from its last progress mark. */
export function interrupted(
  intent: Intent,
  progress: Progress | undefined,
  completedAt: Date,
): Outcome {
  return {
    outcome: 'interrupted',
    finishReason: '',
    usage: {
      inputTokens: intent.inputTokens,
      cachedTokens: 0,
      outputTokens: progress?.outputTokens ?? 0,
      reasoningTokens: progress?.reasoningTokens ?? 0,
    },
    isEstimated: true,
    estimateReason: 'interrupted',
    isDeclaredFailure: false,
    upstreamId: progress?.upstreamId,
    completedAt,
  };
}
