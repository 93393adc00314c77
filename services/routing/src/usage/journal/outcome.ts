import type { TokenUsage } from '@sluice/inference';
import type { UsageAttempt } from '@sluice/usage-facts';
import type { ServiceTier, ToolCounts } from '@sluice/catalog';
import type { Intent, Progress } from './record.ts';

export type EstimateReason = 'interrupted' | 'broken_off' | 'no_usage' | 'absurd_usage';

/** The end and the usage of an attempt. */
export interface Outcome {
  readonly outcome: 'completed' | 'incomplete' | 'failed' | 'cancelled' | 'interrupted';
  /** The canonical finish reason. Empty if the end was not read. */
  readonly finishReason: string;
  readonly usage: TokenUsage;
  /** Sluice counted the usage, because the upstream gave no credible one. */
  readonly isEstimated: boolean;
  /** The reason of the estimate. `no_usage` if absent. */
  readonly estimateReason?: EstimateReason | undefined;
  /** The raw usage of the upstream, if it is implausible. */
  readonly providerUsage?: string | undefined;
  /** The provider itself said that the generation failed. */
  readonly isDeclaredFailure: boolean;
  /** No part of an answer was read. The provider may still have generated one. */
  readonly isUnanswered?: boolean;
  readonly upstreamId: string | undefined;
  /** The upstream's finish reason. Absent if it gave none. */
  readonly nativeFinishReason?: string | undefined;
  /** The tier that served, as the provider reported it. Absent if it reported none. */
  readonly serviceTier?: ServiceTier | undefined;
  /** Media of the input; absent when it is not known. */
  readonly inputMedia?: { readonly mediaCount: number; readonly audioCount: number } | undefined;
  /** Pictures that were made; absent: none. */
  readonly outputMedia?: number;
  /** The counts that the price of a call of a tool depends on. */
  readonly toolCounts?: ToolCounts | undefined;
  /** Absent when the process that saw it died. */
  readonly beginning?: Beginning | undefined;
  readonly completedAt: Date;
}

/** The time before the first output, or before the failure without output. */
export interface Beginning {
  /** From the admission to the first output; absent: there was none. */
  readonly latencyMs?: number | undefined;
  /** In order; the last one is the attempt itself. */
  readonly attempts: readonly UsageAttempt[];
  /** JSON that describes how the endpoints were chosen. */
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
