import { specialCountTexts } from '@sluice/inference';
import type {
  UsageRecorded,
  UsageRecorded_UsageAttempt,
} from '@sluice/protos/sluice/usage/v1/usage_events';
import type { Charge } from './charge.ts';
import { noLabels } from '../../request/usage-labels.ts';
import type { Outcome } from './outcome.ts';
import type { Intent } from './record.ts';
import { writtenText } from './written-text.ts';

/** Where a fact stands among those of its replica. */
export type Place = Pick<UsageRecorded, 'replica' | 'epoch' | 'sequence'>;

/** What the JSON of a message is made of: what is at its default is undefined, and so left out. */
export type Wire<Message> = {
  readonly [Name in keyof Required<Message>]: string | true | object | undefined;
};

interface Counted {
  readonly charge: Charge;
  readonly place: Place;
}

/**
 * The fact of an attempt, as UsageRecorded.toJSON writes it. Made at once, since there is one with each request: a
 * message to make it of would be dozens of values that nobody reads.
 */
export function wireFact(
  intent: Intent,
  ended: Outcome,
  { charge, place }: Counted,
): Wire<UsageRecorded> {
  const { usage, beginning } = ended;
  const { labels = noLabels } = intent;
  return {
    usageId: text(intent.usageId),
    generationId: text(intent.generationId),
    requestId: text(intent.requestId),
    accountId: text(intent.accountId),
    workspaceId: text(intent.workspaceId),
    keyHash: text(intent.keyHash),
    model: text(intent.model),
    provider: text(intent.provider),
    upstreamId: text(ended.upstreamId),
    inputTokens: digits(BigInt(usage.inputTokens)),
    cachedTokens: digits(BigInt(usage.cachedTokens)),
    outputTokens: digits(BigInt(usage.outputTokens)),
    reasoningTokens: digits(BigInt(usage.reasoningTokens)),
    costNanoUsd: digits(charge.costNanoUsd),
    isByok: flag(charge.isByok),
    streamed: flag(intent.streamed),
    outcome: ended.outcome,
    finishReason: text(ended.finishReason),
    estimated: flag(charge.estimated),
    admittedAt: intent.admittedAt.toISOString(),
    completedAt: ended.completedAt.toISOString(),
    replica: text(place.replica),
    epoch: digits(place.epoch),
    sequence: digits(place.sequence),
    leaseEpoch: digits(intent.leaseEpoch),
    leaseNumbers: list(intent.leaseNumbers, String),
    nativeFinishReason: text(ended.nativeFinishReason),
    endpointId: text(labels.endpointId),
    latencyMs: beginning?.latencyMs === undefined ? undefined : String(BigInt(beginning.latencyMs)),
    userId: text(labels.userId),
    externalUser: text(labels.externalUser),
    sessionId: text(labels.sessionId),
    httpReferer: text(labels.httpReferer),
    userAgent: text(labels.userAgent),
    attempts: beginning && list(beginning.attempts, wireAttempt),
    guardrailScopes: intent.guardrailScopes && list(intent.guardrailScopes, String),
    specialTokens: named(specialTexts(ended)),
    credentialId: text(charge.credentialId),
    feeNanoUsd: digits(charge.feeNanoUsd),
    freeNanoUsd: digits(charge.freeNanoUsd),
    feeLeaseNumbers: list(charge.feeLeaseNumbers, String),
    allowanceLeaseNumber: digits(charge.allowanceLeaseNumber),
    freeRequestLeaseNumbers: list(charge.freeRequestLeaseNumbers, String),
    holdNanoUsd: digits(charge.holdNanoUsd),
    suspendedNanoUsd: digits(charge.suspendedNanoUsd),
    claimedNanoUsd: digits(charge.claimedNanoUsd),
    estimateReason: text(charge.estimateReason),
    prices: named(charge.prices),
    providerUsage: text(charge.providerUsage.toString('base64')),
    routing: beginning && beginning.routing !== '' ? writtenText(beginning.routing) : undefined,
    serviceTier: text(ended.serviceTier),
    trace: text(labels.trace),
    upstreamCostNanoUsd: charge.upstreamCostNanoUsd?.toString(),
    operatorSuspendedNanoUsd: digits(charge.operatorSuspendedNanoUsd),
    appTitle: text(labels.appTitle),
    appCategories: labels.appCategories && list(labels.appCategories, String),
  };
}

function wireAttempt(attempt: UsageRecorded_UsageAttempt): Wire<UsageRecorded_UsageAttempt> {
  return {
    provider: text(attempt.provider),
    endpointId: text(attempt.endpointId),
    errorCode: text(attempt.errorCode),
    latencyMs: digits(attempt.latencyMs),
    isByok: flag(attempt.isByok),
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

function text(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function digits(value: bigint): string | undefined {
  return value === 0n ? undefined : String(value);
}

function flag(value: boolean): true | undefined {
  return value || undefined;
}

function list<Item>(
  items: readonly Item[],
  write: (item: Item) => string | object,
): object | undefined {
  return items.length === 0 ? undefined : items.map((item) => write(item));
}

function named(values: Readonly<Record<string, string>>): object | undefined {
  for (const _ in values) return values;
  return undefined;
}
