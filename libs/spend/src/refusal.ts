import type { Rejection } from '@sluice/errors';
import { nanoUsdToDecimal, nanoUsdToNumber } from '@sluice/inference';
import type { Lease } from './lease.ts';

export type SpendRefusal = Rejection<
  | 'credits_exhausted'
  | 'key_limit_exceeded'
  | 'workspace_budget_exceeded'
  | 'guardrail_budget_exceeded'
  | 'rate_limited'
>;

/** What a caller is told whose request did not fit into a budget at an instant. */
export function refusalOf(lease: Lease, at: Date): SpendRefusal {
  const { scopeKind, scopeId } = lease.budget;
  switch (scopeKind) {
    case 'account':
    // What is not free any more is paid by credits.
    case 'allowance':
      return refusal('credits_exhausted', 'Insufficient credits', {});
    case 'free_requests':
      return requestsRefusal(lease, at);
    case 'key':
      return refusal('key_limit_exceeded', 'Key limit exceeded', figures(lease, 'key'));
    case 'workspace':
      return refusal(
        'workspace_budget_exceeded',
        `Workspace ${budgetText(lease)} exceeded. Contact your org admin.`,
        figures(lease, 'workspace'),
      );
    case 'guardrail': {
      const [guardrailId, assigneeKind = ''] = scopeId.split(':');
      return refusal(
        'guardrail_budget_exceeded',
        `Guardrail ${budgetText(lease)} exceeded for this ${assigneeKind}. Contact your org admin.`,
        { ...figures(lease, assigneeKind), guardrail_id: guardrailId },
      );
    }
  }
}

/** As other rates are refused: with the limit and the end of the window. */
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
  figures: Readonly<Record<string, unknown>>,
): SpendRefusal {
  return { rejected, message, metadata: { reason: rejected, ...figures } };
}

/** `monthly budget of $12.5` */
function budgetText(lease: Lease): string {
  const limit = nanoUsdToDecimal(lease.limitNanoUsd ?? 0n);
  return `${lease.budget.interval ?? 'lifetime'} budget of $${limit}`;
}

function figures(lease: Lease, scope: string): Readonly<Record<string, unknown>> {
  return {
    scope,
    limit_usd: nanoUsdToNumber(lease.limitNanoUsd ?? 0n),
    interval: lease.budget.interval,
    ...(lease.window.end ? { resets_at: lease.window.end.toISOString() } : {}),
  };
}
