import { boundedLimit } from '@sluice/amounts';
import { windowKinds } from '../window/window.ts';

/** All that a scope may spend, as of a revision of what sets it. */
export interface ScopeLimits {
  readonly limitId: string;
  readonly accountId: string;
  /** key, workspace, guardrail: credits alone limit an account. */
  readonly scopeKind: string;
  readonly scopeId: string;
  readonly revision: bigint;
  /** One per window at most; none: no cap. */
  readonly limits: readonly WindowLimit[];
  readonly includeByok: boolean;
}

export interface WindowLimit {
  readonly windowKind: string;
  readonly limitNanoUsd: bigint;
}

/** The largest value of a bigint column. */
const limitMax = 2n ** 63n - 1n;
const revisionMax = 2n ** 63n - 1n;
const idPattern = /^[\x21-\x7e]{1,256}$/;
const tokenPattern = /^[A-Za-z0-9_-]{1,128}$/;
const scopeKinds: readonly string[] = ['key', 'workspace', 'guardrail'];

/** Why limits must not be taken; undefined when they may. */
export function scopeLimitsProblem(fact: ScopeLimits): string | undefined {
  const { limitId, accountId, scopeKind, scopeId, revision, limits } = fact;
  if (!idPattern.test(limitId)) return 'limit_id is missing or malformed';
  if (!tokenPattern.test(accountId)) return 'account_id is missing or malformed';
  if (!scopeKinds.includes(scopeKind)) return 'scope_kind is not known';
  if (!tokenPattern.test(scopeId)) return 'scope_id is missing or malformed';
  if (revision < 0n || revision > revisionMax) return 'revision is no revision';
  const known: readonly string[] = windowKinds;
  if (!limits.every(({ windowKind }) => known.includes(windowKind)))
    return 'a window_kind is not known';
  if (new Set(limits.map(({ windowKind }) => windowKind)).size < limits.length)
    return 'a window_kind comes twice';
  if (!limits.every(({ limitNanoUsd }) => limitNanoUsd >= 0n && limitNanoUsd <= limitMax))
    return 'a limit is negative or absurd';
  return undefined;
}

/** Returns the limits that count. Services accepted limits above the bound of an amount before they had it. */
export function boundedLimits(fact: ScopeLimits): ScopeLimits {
  const limits = fact.limits.map(({ windowKind, limitNanoUsd }) => ({
    windowKind,
    limitNanoUsd: boundedLimit(limitNanoUsd),
  }));
  return { ...fact, limits };
}

/** Names a scope among all accounts. */
export function scopeText(scope: Pick<ScopeLimits, 'accountId' | 'scopeKind' | 'scopeId'>): string {
  return [scope.accountId, scope.scopeKind, scope.scopeId].join('/');
}

/** The newest limits of each scope, in the order of account and scope. */
export function newestLimits(facts: readonly ScopeLimits[]): readonly ScopeLimits[] {
  const newest = new Map<string, ScopeLimits>();
  for (const fact of facts) {
    const scope = scopeText(fact);
    const known = newest.get(scope);
    if (!known || fact.revision > known.revision) newest.set(scope, fact);
  }
  return [...newest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, fact]) => fact);
}
