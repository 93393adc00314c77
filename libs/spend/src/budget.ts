import { startOfDay, windowOf, type Interval } from './window.ts';

/** Whose spend is capped: all of an account, by its credits, or that of one key. */
export type ScopeKind = 'account' | 'key';

/** What caps a request: the spend of a scope in the window of an instant. */
export interface Budget {
  readonly accountId: string;
  readonly scopeKind: ScopeKind;
  readonly scopeId: string;
  /** null: lifetime. */
  readonly interval: Interval;
  /** What is known of the limit here; the authority knows better once it has heard of it. Nano-USD. */
  readonly limitNanoUsd: bigint | undefined;
  readonly includeByok: boolean;
}

/** Names the window too: leases of two windows are two leases. */
export function budgetKey({ scopeKind, scopeId, interval }: Budget, at: Date): string {
  if (interval === null) return `${scopeKind}/${scopeId}`;
  return `${scopeKind}/${scopeId}/${interval}/${String(windowOf(interval, at).firstDay)}`;
}

/** The first instant of the window, UTC. */
export function windowStart({ interval }: Budget, at: Date): Date {
  return startOfDay(interval === null ? 0 : windowOf(interval, at).firstDay);
}

/** The first instant after the window; undefined: it never ends. */
export function windowEnd({ interval }: Budget, at: Date): Date | undefined {
  return interval === null ? undefined : startOfDay(windowOf(interval, at).endDay);
}
