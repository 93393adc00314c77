import { amountsOf } from './byok-terms.ts';
import type { UsageFact } from './usage-fact.ts';

/** What a batch adds to one day's row of activity. */
export interface ActivityIncrement {
  readonly accountId: string;
  /** Of the admission, UTC: `2026-11-18`. */
  readonly day: string;
  readonly workspaceId: string;
  readonly keyHash: string;
  readonly userId: string;
  readonly model: string;
  readonly endpointId: string;
  readonly provider: string;
  readonly requests: bigint;
  readonly inputTokens: bigint;
  readonly outputTokens: bigint;
  readonly reasoningTokens: bigint;
  readonly creditsNanoUsd: bigint;
  readonly byokNanoUsd: bigint;
}

/** Sums facts per row: one increment each. A fact is one request. */
export function tallyActivity(facts: readonly UsageFact[]): readonly ActivityIncrement[] {
  const sums = new Map<string, ActivityIncrement>();
  for (const fact of facts) {
    const increment = incrementOf(fact);
    const key = JSON.stringify(activityKey(increment));
    const sum = sums.get(key);
    sums.set(key, sum ? plus(sum, increment) : increment);
  }
  return [...sums.values()];
}

/** What makes a row another one. */
export function activityKey(increment: ActivityIncrement): readonly string[] {
  const { accountId, day, workspaceId, keyHash, userId, model, endpointId, provider } = increment;
  return [accountId, day, workspaceId, keyHash, userId, model, endpointId, provider];
}

const dayLength = '2026-11-18'.length;

function incrementOf(fact: UsageFact): ActivityIncrement {
  const { accountId, workspaceId, keyHash, userId, model, endpointId, provider } = fact;
  const { inputTokens, outputTokens, reasoningTokens } = fact;
  return {
    accountId,
    day: new Date(fact.admittedAt).toISOString().slice(0, dayLength),
    workspaceId,
    keyHash,
    userId,
    model,
    endpointId,
    provider,
    requests: 1n,
    inputTokens,
    outputTokens,
    reasoningTokens,
    ...amountsOf(fact),
  };
}

function plus(a: ActivityIncrement, b: ActivityIncrement): ActivityIncrement {
  return {
    ...a,
    requests: a.requests + b.requests,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    creditsNanoUsd: a.creditsNanoUsd + b.creditsNanoUsd,
    byokNanoUsd: a.byokNanoUsd + b.byokNanoUsd,
  };
}
