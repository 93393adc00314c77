import { specialCountTexts } from '@sluice/inference';
import type { UsageFact, UsageRepeat } from '@sluice/usage-facts';
import type { UsageLabels } from '../../request/usage-labels.ts';
import type { Charge } from './charge.ts';
import type { Outcome } from './outcome.ts';
import type { Intent } from './record.ts';

/** The place of a fact among those of its replica. */
export type Place = Pick<UsageFact, 'replica' | 'epoch' | 'sequence'>;

interface Counted {
  readonly charge: Charge;
  readonly place: Place;
  /** Repeated answers that the fact stands for, beside its own. */
  readonly repeats?: readonly UsageRepeat[] | undefined;
}

const none: readonly never[] = [];

/**
 * Returns the fact of an attempt: what was admitted, how it ended and what it costs. An object that begins with others
 * would be copied for every few fields that follow, so these stand last.
 */
export function usageFact(
  intent: Intent,
  ended: Outcome,
  { charge, place, repeats = none }: Counted,
): UsageFact {
  const { usage, beginning } = ended;
  const labels: Partial<UsageLabels> = intent.labels ?? {};
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
    streamed: intent.streamed,
    outcome: ended.outcome,
    finishReason: ended.finishReason,
    admittedAt: intent.admittedAt.toISOString(),
    completedAt: ended.completedAt.toISOString(),
    leaseEpoch: intent.leaseEpoch,
    leaseNumbers: intent.leaseNumbers,
    nativeFinishReason: ended.nativeFinishReason ?? '',
    latencyMs: integerOf(beginning?.latencyMs),
    endpointId: labels.endpointId ?? '',
    userId: labels.userId ?? '',
    externalUser: labels.externalUser ?? '',
    sessionId: labels.sessionId ?? '',
    httpReferer: labels.httpReferer ?? '',
    userAgent: labels.userAgent ?? '',
    appTitle: labels.appTitle ?? '',
    app: labels.app ?? '',
    appCategories: labels.appCategories ?? none,
    guardrailInvoked: labels.guardrailInvoked ?? false,
    moderationLatencyMs: integerOf(labels.moderationLatencyMs),
    apiType: labels.apiType ?? '',
    toolType: labels.toolType ?? '',
    responseCacheSourceId: labels.responseCacheSourceId ?? '',
    trace: labels.trace ?? '',
    attempts: beginning?.attempts ?? none,
    guardrailScopes: intent.guardrailScopes ?? none,
    specialTokens: specialTexts(ended),
    routing: beginning?.routing ?? '',
    serviceTier: ended.serviceTier ?? '',
    traceparent: intent.traceparent ?? '',
    hasEnd: labels.hasEnd === true,
    dataRegion: labels.dataRegion ?? '',
    repeats,
    ...charge,
    ...place,
  };
}

function integerOf(count: number | undefined): bigint | undefined {
  return count === undefined ? undefined : BigInt(count);
}

/** Returns the counts that may have a separate price, as decimal strings by name. Omits counts of 0. */
function specialTexts({
  usage,
  inputMedia,
  outputMedia = 0,
  toolCounts = {},
}: Outcome): Record<string, string> {
  const texts = specialCountTexts(usage);
  const { mediaCount = 0, audioCount = 0 } = inputMedia ?? {};
  if (mediaCount > 0) texts['inputMedia'] = String(mediaCount);
  if (audioCount > 0) texts['inputAudio'] = String(audioCount);
  if (outputMedia > 0) texts['outputMedia'] = String(outputMedia);
  for (const [name, count] of Object.entries(toolCounts))
    if (Number(count) > 0) texts[name] = String(Math.ceil(Number(count)));
  return texts;
}
