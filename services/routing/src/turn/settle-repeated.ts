import type { LastPart } from '@sluice/inference';
import { guardrailScopesOf } from '../admission/budgets-of.ts';
import { noUsage } from '../request/usage-report.ts';
import type { PlannedAttempt } from '../selection/plan.ts';
import type { Outcome } from '../usage/journal/outcome.ts';
import type { Intent } from '../usage/journal/record.ts';
import type { TurnDeps } from './deps.ts';
import type { TurnEnd } from './settle.ts';
import type { Turn } from './turn.ts';

/** An answer of an earlier response that is repeated. */
export interface Repeated {
  /** The generation that gave it. */
  readonly generationId: string;
  readonly last: LastPart;
  readonly nextPart: number;
  readonly serviceTier: string | undefined;
  readonly served: Pick<PlannedAttempt, 'model' | 'endpoint'>;
}

type RepeatDeps = Pick<TurnDeps, 'journal' | 'clock' | 'replica'>;

/** Settles an answer that was repeated: nothing was held, it costs nothing, and nothing waits for its fact. */
export function settleRepeated(
  { journal, clock, replica }: RepeatDeps,
  turn: Turn,
  { repeated, admittedAt }: { readonly repeated: Repeated; readonly admittedAt: Date },
): TurnEnd {
  const completedAt = clock.now();
  const intent = { ...intentOf(turn, repeated), admittedAt, leaseEpoch: replica.epoch };
  journal.settleSoon(intent, outcomeOf(repeated, completedAt));
  const { last, nextPart, served, serviceTier } = repeated;
  return {
    last,
    nextPart,
    served,
    usage: noUsage,
    completedAt: Math.floor(completedAt.getTime() / 1_000),
    serviceTier,
    durable: Promise.resolve(),
  };
}

const noPrices = {
  inputTokenAttoUsd: 0n,
  cachedTokenAttoUsd: 0n,
  outputTokenAttoUsd: 0n,
  requestAttoUsd: 0n,
};

function intentOf(
  { generationId, call, policy, labels, request }: Turn,
  { generationId: responseCacheSourceId, served: { model, endpoint } }: Repeated,
): Omit<Intent, 'admittedAt' | 'leaseEpoch'> {
  const { accountId, workspaceId, keyHash } = call.principal;
  return {
    usageId: `${generationId}/1/1`,
    generationId,
    requestId: call.requestId,
    traceparent: call.traceparent,
    accountId,
    workspaceId,
    keyHash,
    model: model.id,
    provider: endpoint.endpoint.provider,
    streamed: request.stream,
    inputTokens: 0,
    prices: noPrices,
    holdNanoUsd: 0n,
    leaseNumbers: [],
    guardrailScopes: guardrailScopesOf(policy),
    labels: { ...labels, endpointId: endpoint.id, toolType: '', responseCacheSourceId },
  };
}

function outcomeOf({ last }: Repeated, completedAt: Date): Outcome {
  return {
    outcome: 'completed',
    finishReason: last.type === 'finish' ? last.reason : '',
    usage: noUsage.tokens,
    isEstimated: false,
    isDeclaredFailure: false,
    upstreamId: undefined,
    nativeFinishReason: last.type === 'finish' ? last.nativeReason : undefined,
    completedAt,
  };
}
