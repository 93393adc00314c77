import type { Rejection } from '@sluice/errors';
import { nanoUsdToDecimal, nanoUsdToNumber } from '@sluice/inference';
import type { ScopeKind } from './budget.ts';
import type { Shortage } from './hold.ts';
import type { Lease } from './lease.ts';

export type SpendRefusal = Rejection<
  | 'credits_exhausted'
  | 'key_limit_exceeded'
  | 'workspace_budget_exceeded'
  | 'guardrail_budget_exceeded'
  | 'rate_limited'
>;

/** Requests that run now may end within this time. */
const runningRetrySeconds = 1;
const secondMs = 1_000;

/**
 * Returns the refusal of a request that does not fit into a budget: which budget, what is left of it, what the
 * request needs, and when to try again where waiting helps.
 */
export function refusalOf(shortage: Shortage, at: Date): SpendRefusal {
  const { lease } = shortage;
  if (lease.budget.scopeKind === 'free_requests') return requestsRefusal(lease, at);
  const retryAfterSeconds = retryAfter(shortage, at);
  return {
    ...named(
      shortage,
      lease.budget.scopeKind,
      shortage.isUsedUp ? undefined : balanceText(shortage),
    ),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

function named(
  shortage: Shortage,
  scopeKind: Exclude<ScopeKind, 'free_requests'>,
  balance: string | undefined,
): SpendRefusal {
  const { lease } = shortage;
  const { scopeId } = lease.budget;
  switch (scopeKind) {
    case 'account':
    // Credits pay the part that is not free.
    case 'allowance':
      return refusal(
        'credits_exhausted',
        balance === undefined ? 'Insufficient credits' : `Insufficient credits: ${balance}`,
        amounts(shortage),
      );
    case 'key':
      return refusal(
        'key_limit_exceeded',
        balance === undefined
          ? 'Key limit exceeded'
          : `Key limit of ${limitText(lease)}: ${balance}`,
        figures(shortage, 'key'),
      );
    case 'workspace': {
      const budget = `Workspace ${budgetText(lease)}`;
      return refusal(
        'workspace_budget_exceeded',
        balance === undefined
          ? `${budget} exceeded. Contact your org admin.`
          : `${budget}: ${balance}`,
        figures(shortage, 'workspace'),
      );
    }
    case 'guardrail': {
      const [guardrailId, assigneeKind = ''] = scopeId.split(':');
      const budget = `Guardrail ${budgetText(lease)}`;
      return refusal(
        'guardrail_budget_exceeded',
        balance === undefined
          ? `${budget} exceeded for this ${assigneeKind}. Contact your org admin.`
          : `${budget} for this ${assigneeKind}: ${balance}`,
        { ...figures(shortage, assigneeKind), guardrail_id: guardrailId },
      );
    }
  }
}

/** Returns a refusal like those of other rates, with the limit and the end of the window. */
function requestsRefusal(lease: Lease, at: Date): SpendRefusal {
  const { interval } = lease.budget;
  const limit = Number(lease.limitNanoUsd ?? 0n);
  const resetAtMs = (lease.window.end ?? at).getTime();
  const per = interval === 'minute' ? 'minute' : 'day';
  return {
    rejected: 'rate_limited',
    message: `Rate limit exceeded: ${String(limit)} requests to free models per ${per}`,
    metadata: {
      reason: 'free_requests_exceeded',
      scope: 'account',
      limit,
      interval: interval === 'minute' ? 'minute' : 'daily',
      resets_at: new Date(resetAtMs).toISOString(),
    },
    rate: { limit, resetAtMs },
    retryAfterSeconds: Math.max(1, Math.ceil((resetAtMs - at.getTime()) / 1_000)),
  };
}

function refusal(
  rejected: SpendRefusal['rejected'],
  message: string,
  metadata: Readonly<Record<string, unknown>>,
): SpendRefusal {
  return { rejected, message, metadata: { reason: rejected, ...metadata } };
}

/** `$0.2 is left, $0.1 more is held by running requests, and this request needs up to $0.3` */
function balanceText({ lease, neededNanoUsd }: Shortage): string {
  const held = lease.held > 0n ? `, ${usd(lease.held)} more is held by running requests` : '';
  return `${usd(lease.left ?? 0n)} is left${held}, and this request needs up to ${usd(neededNanoUsd)}`;
}

/** `monthly budget of $12.5` */
function budgetText(lease: Lease): string {
  return `${lease.budget.interval ?? 'lifetime'} budget of ${limitText(lease)}`;
}

function limitText({ limitNanoUsd }: Lease): string {
  return usd(limitNanoUsd ?? 0n);
}

function usd(amountNanoUsd: bigint): string {
  return `$${nanoUsdToDecimal(amountNanoUsd)}`;
}

function figures(shortage: Shortage, scope: string): Readonly<Record<string, unknown>> {
  const { lease } = shortage;
  return {
    scope,
    limit_usd: nanoUsdToNumber(lease.limitNanoUsd ?? 0n),
    interval: lease.budget.interval,
    ...(lease.window.end ? { resets_at: lease.window.end.toISOString() } : {}),
    ...amounts(shortage),
  };
}

function amounts({ lease, neededNanoUsd }: Shortage): Readonly<Record<string, unknown>> {
  return {
    left_usd: nanoUsdToNumber(lease.left ?? 0n),
    held_usd: nanoUsdToNumber(lease.held),
    needed_usd: nanoUsdToNumber(neededNanoUsd),
  };
}

/** Returns undefined if waiting does not help. */
function retryAfter(shortage: Shortage, at: Date): number | undefined {
  const { lease, neededNanoUsd, isPassing } = shortage;
  if (isPassing) return runningRetrySeconds;
  const { end } = lease.window;
  if (!end || neededNanoUsd > (lease.limitNanoUsd ?? 0n)) return undefined;
  return Math.max(1, Math.ceil((end.getTime() - at.getTime()) / secondMs));
}
