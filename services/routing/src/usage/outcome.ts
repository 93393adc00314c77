import { specialCountTexts, type TokenUsage } from '@sluice/inference';
import type {
  UsageRecorded,
  UsageRecorded_UsageAttempt,
} from '@sluice/protos/sluice/usage/v1/usage_events';
import { instantText } from '@sluice/service';
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
  readonly inputMedia?: { readonly mediaCount: number; readonly audioCount: number } | undefined;
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

/** Where a fact stands among those of its replica. */
export type Place = Pick<UsageRecorded, 'replica' | 'epoch' | 'sequence'>;

/** Field by field: made of spreads it costs several times as much, with each request. */
export function usageFact(intent: Intent, ended: Outcome, place: Place): UsageRecorded {
  const { usage, beginning } = ended;
  const { labels = noLabels } = intent;
  const charge = chargeOf(intent, ended);
  const byok = byokChargeOf(intent.byok, charge.costNanoUsd);
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
    costNanoUsd: charge.costNanoUsd,
    isByok: byok.isByok,
    streamed: intent.streamed,
    outcome: ended.outcome,
    finishReason: ended.finishReason,
    estimated: charge.estimated,
    admittedAt: instantText(intent.admittedAt),
    completedAt: instantText(ended.completedAt),
    replica: place.replica,
    epoch: place.epoch,
    sequence: place.sequence,
    leaseEpoch: intent.leaseEpoch,
    leaseNumbers: [...intent.leaseNumbers],
    nativeFinishReason: ended.nativeFinishReason ?? '',
    endpointId: labels.endpointId ?? '',
    latencyMs: beginning && BigInt(beginning.latencyMs),
    userId: labels.userId ?? '',
    externalUser: labels.externalUser ?? '',
    sessionId: labels.sessionId ?? '',
    httpReferer: labels.httpReferer ?? '',
    userAgent: labels.userAgent ?? '',
    attempts: beginning ? [...beginning.attempts] : [],
    guardrailScopes: intent.guardrailScopes ? [...intent.guardrailScopes] : [],
    specialTokens: specialTexts(ended),
    credentialId: byok.credentialId,
    feeNanoUsd: byok.feeNanoUsd,
    freeNanoUsd: byok.freeNanoUsd,
    feeLeaseNumbers: byok.feeLeaseNumbers,
    allowanceLeaseNumber: byok.allowanceLeaseNumber,
    holdNanoUsd: charge.holdNanoUsd,
    suspendedNanoUsd: charge.suspendedNanoUsd,
    claimedNanoUsd: charge.claimedNanoUsd,
    estimateReason: charge.estimateReason,
    prices: charge.prices,
    providerUsage: charge.providerUsage,
    routing: beginning?.routing ?? '',
    serviceTier: ended.serviceTier ?? '',
    trace: labels.trace ?? '',
  };
}

/** By name, in digits; what is 0 is left out. */
function specialTexts({ usage, inputMedia, outputMedia = 0 }: Outcome): Record<string, string> {
  const texts = specialCountTexts(usage);
  const { mediaCount = 0, audioCount = 0 } = inputMedia ?? {};
  if (mediaCount > 0) texts['inputMedia'] = String(mediaCount);
  if (audioCount > 0) texts['inputAudio'] = String(audioCount);
  if (outputMedia > 0) texts['outputMedia'] = String(outputMedia);
  return texts;
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
