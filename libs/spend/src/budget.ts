import { type BudgetInterval, budgetWindowOf } from './window.ts';

/**
 * The spend that is capped: all of an account, by its credits; that of a key or of a workspace; that of one assignee
 * of a guardrail, with a scope id of `guardrailScopeId`; the free allowance of an account. All amounts of
 * `free_requests` are numbers of requests to free models, not nano-USD.
 */
export type ScopeKind =
  | 'account'
  | 'key'
  | 'workspace'
  | 'guardrail'
  | 'allowance'
  | 'free_requests';

/** A guardrail is assigned to a key, a member or a workspace. */
export type AssigneeKind = 'key' | 'member' | 'workspace';

/** A guardrail counts each of its assignees on their own. */
export interface GuardrailScope {
  readonly guardrailId: string;
  readonly assigneeKind: AssigneeKind;
  readonly assigneeId: string;
}

/** One text per guardrail and assignee. */
export function guardrailScopeId(scope: GuardrailScope): string {
  return `${scope.guardrailId}:${scope.assigneeKind}:${scope.assigneeId}`;
}

/** Caps a request: the spend of a scope in the window of an instant. */
export interface Budget {
  readonly accountId: string;
  readonly scopeKind: ScopeKind;
  readonly scopeId: string;
  /** null: lifetime. */
  readonly interval: BudgetInterval;
  /** The limit that this replica knows, in nano-USD. The authority's own limit takes precedence. */
  readonly limitNanoUsd: bigint | undefined;
  readonly includeByok: boolean;
}

/** Names the window too: leases of two windows are two leases. */
export function budgetKey({ scopeKind, scopeId, interval }: Budget, at: Date): string {
  if (interval === null) return `${scopeKind}/${scopeId}`;
  return `${scopeKind}/${scopeId}/${interval}/${String(budgetWindowOf(interval, at).startMs)}`;
}

export interface Window {
  readonly start: Date;
  readonly end: Date | undefined;
}

/** The window of a budget at an instant: from its first instant to the first one after it; undefined: it never ends. */
export function budgetWindow({ interval }: Budget, at: Date): Window {
  const { startMs, endMs } = budgetWindowOf(interval, at);
  return { start: new Date(startMs), end: endMs === undefined ? undefined : new Date(endMs) };
}
