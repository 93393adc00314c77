import { amountsOf, type UsageFact } from '@sluice/usage-facts';
import { freeRequestWindowKinds } from '../limit/free-requests.ts';
import { type CountedWindowKind, type Window, windowAt, windowsAt } from '../window/window.ts';

/**
 * Whose spend a counter counts; allowance: what an account's free allowance covered; free_requests: an account's
 * requests to free models, whose number stands in the place of credits.
 */
export type ScopeKind =
  | 'account'
  | 'key'
  | 'workspace'
  | 'guardrail'
  | 'allowance'
  | 'free_requests';

/** The amounts that a batch adds to one counter. */
export interface Increment {
  readonly accountId: string;
  readonly scopeKind: ScopeKind;
  readonly scopeId: string;
  readonly windowKind: CountedWindowKind;
  readonly windowStart: Date;
  readonly creditsNanoUsd: bigint;
  readonly byokNanoUsd: bigint;
}

/**
 * Sums facts per counter: one increment each, in the order of the counters' key, so that two
 * transactions never wait for each other in a circle.
 */
export function tally(facts: readonly UsageFact[]): readonly Increment[] {
  return sumOf([...byScopes(facts)].flatMap(incrementsOf));
}

/** Sums like `tally`, and adds the requests to free models. The facts are counted for the first time. */
export function tallyWithRequests(facts: readonly UsageFact[]): readonly Increment[] {
  const requests = facts.flatMap(freeRequestOf);
  return requests.length === 0 ? tally(facts) : sumOf([...tally(facts), ...requests]);
}

function sumOf(increments: readonly Increment[]): readonly Increment[] {
  const sums = new Map<string, Increment>();
  for (const increment of increments) {
    const key = counterKey(increment);
    const sum = sums.get(key);
    sums.set(key, sum ? plus(sum, increment) : increment);
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, increment]) => increment);
}

/** One request in each window; nothing where no lease paid one. */
function freeRequestOf({
  accountId,
  admittedAt,
  freeRequestLeaseNumbers,
}: UsageFact): readonly Increment[] {
  if (freeRequestLeaseNumbers.length === 0) return [];
  const instant = new Date(admittedAt);
  return freeRequestWindowKinds.map((windowKind) => ({
    accountId,
    scopeKind: 'free_requests',
    scopeId: accountId,
    windowKind,
    windowStart: windowAt(windowKind, instant).start,
    creditsNanoUsd: 1n,
    byokNanoUsd: 0n,
  }));
}

/** The amounts that facts of the same scopes and day add to each of their counters. */
interface Scoped {
  /** One of them. */
  readonly fact: UsageFact;
  freeNanoUsd: bigint;
  creditsNanoUsd: bigint;
  byokNanoUsd: bigint;
}

/** No window is shorter than a day: facts that share it and their scopes share all counters. */
function byScopes(facts: readonly UsageFact[]): Iterable<Scoped> {
  const groups = new Map<string, Scoped>();
  let group: Scoped | undefined;
  for (const fact of facts) {
    // Facts that come together are mostly of one group: no key is made for it.
    if (!group || !areOfSameScopes(fact, group.fact)) group = groupFor(fact, groups);
    const { creditsNanoUsd, byokNanoUsd } = amountsOf(fact);
    group.freeNanoUsd += fact.freeNanoUsd;
    group.creditsNanoUsd += creditsNanoUsd;
    group.byokNanoUsd += byokNanoUsd;
  }
  return groups.values();
}

function areOfSameScopes(a: UsageFact, b: UsageFact): boolean {
  return (
    a.keyHash === b.keyHash &&
    a.workspaceId === b.workspaceId &&
    a.accountId === b.accountId &&
    a.guardrailScopes.length === 0 &&
    b.guardrailScopes.length === 0 &&
    dayOf(a) === dayOf(b)
  );
}

function groupFor(fact: UsageFact, groups: Map<string, Scoped>): Scoped {
  const key = scopesKey(fact);
  let group = groups.get(key);
  if (!group) {
    group = { fact, freeNanoUsd: 0n, creditsNanoUsd: 0n, byokNanoUsd: 0n };
    groups.set(key, group);
  }
  return group;
}

const dayLength = '2026-11-18'.length;

/** Returns the day of the admission, in UTC. */
function dayOf({ admittedAt }: UsageFact): string {
  return admittedAt.slice(0, dayLength);
}

/** The day and the scopes, none of which holds a slash. */
function scopesKey(fact: UsageFact): string {
  const { accountId, workspaceId, keyHash, guardrailScopes } = fact;
  const key = `${dayOf(fact)}/${accountId}/${workspaceId}/${keyHash}`;
  return guardrailScopes.length === 0 ? key : `${key}/${guardrailScopes.join('/')}`;
}

function incrementsOf(scoped: Scoped): readonly Increment[] {
  const { fact, freeNanoUsd, creditsNanoUsd, byokNanoUsd } = scoped;
  const { accountId, workspaceId, keyHash, guardrailScopes } = fact;
  const admittedAt = new Date(fact.admittedAt);
  const amounts = { creditsNanoUsd, byokNanoUsd };
  const increment = (scopeKind: ScopeKind, scopeId: string, { kind, start }: Window): Increment => {
    return { accountId, scopeKind, scopeId, windowKind: kind, windowStart: start, ...amounts };
  };
  const windows = windowsAt(admittedAt);
  // No guardrail has a budget for life.
  const resetting = windows.filter(({ kind }) => kind !== 'lifetime');
  const month = windowAt('monthly', admittedAt);
  const free = { creditsNanoUsd: 0n, byokNanoUsd: freeNanoUsd };
  return [
    ...(freeNanoUsd === 0n ? [] : [{ ...increment('allowance', accountId, month), ...free }]),
    increment('account', accountId, windowAt('lifetime', admittedAt)),
    ...windows.map((window) => increment('key', keyHash, window)),
    ...windows.map((window) => increment('workspace', workspaceId, window)),
    ...guardrailScopes.flatMap((scope) =>
      resetting.map((window) => increment('guardrail', scope, window)),
    ),
  ];
}

function counterKey(increment: Increment): string {
  const { accountId, scopeKind, scopeId, windowKind, windowStart } = increment;
  return [accountId, scopeKind, scopeId, windowKind, windowStart.toISOString()].join('\0');
}

function plus(a: Increment, b: Increment): Increment {
  return {
    ...a,
    creditsNanoUsd: a.creditsNanoUsd + b.creditsNanoUsd,
    byokNanoUsd: a.byokNanoUsd + b.byokNanoUsd,
  };
}
