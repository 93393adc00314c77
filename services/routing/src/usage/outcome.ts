import { specialCountTexts, type TokenUsage } from '@sluice/inference';
import type {
  UsageRecorded,
  UsageRecorded_UsageAttempt,
} from '@sluice/protos/sluice/usage/v1/usage_events';
import type { ServiceTier } from '../catalog/catalog.ts';
import { byokChargeOf } from './byok-charge.ts';
import { chargeOf, type EstimateReason } from './charge.ts';
import { noLabels } from './labels.ts';
import type { Intent, Progress } from './record.ts';

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
  /** What the upstream gave as usage where it cannot be true, as it came. */
  readonly providerUsage?: string | undefined;
  /** The provider itself said that the generation failed. */
  readonly isDeclaredFailure: boolean;
  readonly upstreamId: string | undefined;
  /** The upstream's own word for the reason; absent when it gave none. */
  readonly nativeFinishReason?: string | undefined;
  /** As the upstream told it; absent when it did not. */
  readonly serviceTier?: ServiceTier | undefined;
  /** What of the input was no text; absent when it is not known. */
  readonly inputMedia?: { readonly mediaCount: number; readonly audioCount: number };
  /** Pictures that were made; absent: none. */
  readonly outputMedia?: number;
  /** Absent when the process that saw it died. */
  readonly beginning?: Beginning | undefined;
  readonly completedAt: Date;
}

/** How it came to the first output. */
export interface Beginning {
  /** From the admission to the first output. */
  readonly latencyMs: number;
  /** In order; the last one gave the output. */
  readonly attempts: readonly UsageRecorded_UsageAttempt[];
  /** JSON: how whom to try was chosen. */
  readonly routing: string;
}

/** A usage fact before it has its place in the spool. */
export type UnplacedFact = Omit<UsageRecorded, 'replica' | 'epoch' | 'sequence'>;

export function usageFact(intent: Intent, ended: Outcome): UnplacedFact {
  const { usage, beginning } = ended;
  const charge = chargeOf(intent, ended);
  return {
    usageId: intent.usageId,
    generationId: intent.generationId,
    requestId: intent.requestId,
    accountId: intent.accountId,
    workspaceId: intent.workspaceId,
    keyHash: intent.keyHash,
    model: intent.model,
    provider: intent.provider,
    upstreamId: ended.upstreamId ?? '',
    inputTokens: BigInt(usage.inputTokens),
    cachedTokens: BigInt(usage.cachedTokens),
    outputTokens: BigInt(usage.outputTokens),
    reasoningTokens: BigInt(usage.reasoningTokens),
    specialTokens: { ...specialCountTexts(usage), ...mediaTexts(ended) },
    ...charge,
    ...byokChargeOf(intent.byok, charge.costNanoUsd),
    streamed: intent.streamed,
    outcome: ended.outcome,
    finishReason: ended.finishReason,
    admittedAt: intent.admittedAt.toISOString(),
    completedAt: ended.completedAt.toISOString(),
    leaseEpoch: intent.leaseEpoch,
    leaseNumbers: [...intent.leaseNumbers],
    guardrailScopes: [...(intent.guardrailScopes ?? [])],
    nativeFinishReason: ended.nativeFinishReason ?? '',
    ...noLabels,
    ...intent.labels,
    latencyMs: beginning && BigInt(beginning.latencyMs),
    attempts: [...(beginning?.attempts ?? [])],
    routing: beginning?.routing ?? '',
    serviceTier: ended.serviceTier ?? '',
  };
}

/** By name, in digits; what is 0 is left out. */
function mediaTexts({ inputMedia, outputMedia = 0 }: Outcome): Readonly<Record<string, string>> {
  if (!inputMedia?.mediaCount && outputMedia === 0) return {};
  const counts = {
    inputMedia: inputMedia?.mediaCount ?? 0,
    inputAudio: inputMedia?.audioCount ?? 0,
    outputMedia,
  };
  return Object.fromEntries(
    Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [[name, String(count)]] : [])),
  );
}

/** What is known of an attempt that a crash cut off: its last progress mark. */
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
