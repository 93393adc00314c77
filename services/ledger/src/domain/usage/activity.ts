import { amountsOf, isOperatorsOwn, parseUsageId, type UsageFact } from '@sluice/usage-facts';

/** The sums that a batch adds to one day's row of activity. */
export interface ActivityIncrement {
  readonly accountId: string;
  /** The day of the admission, UTC: `2026-11-18`. */
  readonly day: string;
  readonly workspaceId: string;
  readonly keyHash: string;
  readonly userId: string;
  readonly model: string;
  readonly endpointId: string;
  readonly provider: string;
  readonly app: string;
  readonly requests: bigint;
  readonly inputTokens: bigint;
  readonly outputTokens: bigint;
  readonly reasoningTokens: bigint;
  readonly creditsNanoUsd: bigint;
  readonly byokNanoUsd: bigint;
}

/**
 * Sums facts per row: one increment each. The first turn of a response is one request, but for attempts that the
 * operator pays for. Its later turns and its tool calls add what they used.
 */
export function tallyActivity(facts: readonly UsageFact[]): readonly ActivityIncrement[] {
  const sums = new Map<string, Sum>();
  let sum: Sum | undefined;
  for (const fact of facts) {
    if (isOperatorsOwn(fact)) continue;
    // Facts that come together are mostly of one row: no key is made for it.
    if (!sum || !isOfRow(fact, sum)) sum = sumFor(fact, sums);
    const { creditsNanoUsd, byokNanoUsd } = amountsOf(fact);
    if (isRequest(fact)) sum.requests += 1n;
    sum.inputTokens += fact.inputTokens;
    sum.outputTokens += fact.outputTokens;
    sum.reasoningTokens += fact.reasoningTokens;
    sum.creditsNanoUsd += creditsNanoUsd;
    sum.byokNanoUsd += byokNanoUsd;
  }
  return [...sums.values()];
}

function isRequest({ usageId }: UsageFact): boolean {
  const step = parseUsageId(usageId);
  return step.kind === 'turn' && step.turn === 1;
}

function isOfRow(fact: UsageFact, row: ActivityIncrement): boolean {
  return (
    fact.keyHash === row.keyHash &&
    fact.model === row.model &&
    fact.endpointId === row.endpointId &&
    fact.userId === row.userId &&
    fact.admittedAt.startsWith(row.day) &&
    fact.workspaceId === row.workspaceId &&
    fact.accountId === row.accountId &&
    fact.provider === row.provider &&
    fact.app === row.app
  );
}

function sumFor(fact: UsageFact, sums: Map<string, Sum>): Sum {
  const key = rowKey(fact);
  let sum = sums.get(key);
  if (!sum) {
    sum = emptyRow(fact);
    sums.set(key, sum);
  }
  return sum;
}

type Sum = { -readonly [Name in keyof ActivityIncrement]: ActivityIncrement[Name] };

/** The same for facts of the same row only. The texts that may hold anything come with their lengths. */
function rowKey(fact: UsageFact): string {
  const { accountId, workspaceId, keyHash, userId, model, endpointId, provider, app } = fact;
  const lengths = `${userId.length}/${model.length}/${endpointId.length}/${app.length}`;
  const scopes = `${dayOf(fact)}/${accountId}/${workspaceId}/${keyHash}`;
  return `${scopes}/${lengths}/${userId}${model}${endpointId}${app}${provider}`;
}

/** Returns the values that identify a row. A row without an application is that of releases that knew none. */
export function activityKey(increment: ActivityIncrement): readonly string[] {
  const { accountId, day, workspaceId, keyHash, userId, model, endpointId, provider, app } =
    increment;
  const known = app === '' ? [] : [app];
  return [accountId, day, workspaceId, keyHash, userId, model, endpointId, provider, ...known];
}

const dayLength = '2026-11-18'.length;

/** The admission of a fact is in UTC. */
function dayOf({ admittedAt }: UsageFact): string {
  return admittedAt.slice(0, dayLength);
}

function emptyRow(fact: UsageFact): Sum {
  const { accountId, workspaceId, keyHash, userId, model, endpointId, provider, app } = fact;
  return {
    accountId,
    day: dayOf(fact),
    workspaceId,
    keyHash,
    userId,
    model,
    endpointId,
    provider,
    app,
    requests: 0n,
    inputTokens: 0n,
    outputTokens: 0n,
    reasoningTokens: 0n,
    creditsNanoUsd: 0n,
    byokNanoUsd: 0n,
  };
}
