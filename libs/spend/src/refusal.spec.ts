import { deepEqual, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type Budget, createSpending, guardrailScopeId, refusalOf, Shortage } from './index.ts';
import { InMemoryAuthority } from './testing.ts';

const at = new Date('2026-11-20T12:00:00.000Z');
const limitNanoUsd = 12_500_000_000n;

/** What is said when such a budget has nothing left. */
async function refusal(changes: Partial<Budget>, instant = at) {
  const limit = changes.limitNanoUsd ?? limitNanoUsd;
  const authority = new InMemoryAuthority({
    limitNanoUsd: () => limit,
    settledNanoUsd: () => limit,
  });
  const spending = createSpending({
    nowMs: () => at.getTime(),
    authority: { acquire: async (requests) => authority.acquire('replica', 1n, requests) },
  });
  const budget: Budget = {
    accountId: 'account',
    scopeKind: 'workspace',
    scopeId: 'workspace',
    interval: 'weekly',
    limitNanoUsd,
    includeByok: false,
    ...changes,
  };
  await spending.ask([budget], 1n, instant);
  const shortage = spending.hold([budget], 1n, instant);
  ok(shortage instanceof Shortage);
  return refusalOf(shortage.lease, instant);
}

describe('a budget of a workspace that is used up', () => {
  test('is named with its interval, its limit and when it is whole again', async () => {
    deepEqual(await refusal({}), {
      rejected: 'workspace_budget_exceeded',
      message: 'Workspace weekly budget of $12.5 exceeded. Contact your org admin.',
      metadata: {
        reason: 'workspace_budget_exceeded',
        scope: 'workspace',
        limit_usd: 12.5,
        interval: 'weekly',
        resets_at: '2026-11-23T00:00:00.000Z',
      },
    });
  });

  test('for life is never whole again', async () => {
    const { message, metadata } = await refusal({ interval: null });
    deepEqual(message, 'Workspace lifetime budget of $12.5 exceeded. Contact your org admin.');
    deepEqual(metadata, {
      reason: 'workspace_budget_exceeded',
      scope: 'workspace',
      limit_usd: 12.5,
      interval: null,
    });
  });
});

test.each(['key', 'member', 'workspace'] as const)(
  'the budget of a guardrail of a %s is named with the guardrail, and not with whom it is of',
  async (assigneeKind) => {
    const scopeId = guardrailScopeId({ guardrailId: 'g1', assigneeKind, assigneeId: 'somebody' });
    deepEqual(await refusal({ scopeKind: 'guardrail', scopeId, interval: 'monthly' }), {
      rejected: 'guardrail_budget_exceeded',
      message: `Guardrail monthly budget of $12.5 exceeded for this ${assigneeKind}. Contact your org admin.`,
      metadata: {
        reason: 'guardrail_budget_exceeded',
        scope: assigneeKind,
        limit_usd: 12.5,
        interval: 'monthly',
        resets_at: '2026-12-01T00:00:00.000Z',
        guardrail_id: 'g1',
      },
    });
  },
);

test.each<[interval: 'minute' | 'daily', limit: bigint, message: string, resetsAt: string]>([
  ['minute', 20n, '20 requests to free models per minute', '2026-11-18T12:01:00.000Z'],
  ['daily', 50n, '50 requests to free models per day', '2026-11-19T00:00:00.000Z'],
])('the quota of free requests is a rate: %s', async (interval, limit, message, resetsAt) => {
  const at = new Date('2026-11-18T12:00:30.500Z');
  const scope = { scopeKind: 'free_requests', scopeId: 'account' } as const;
  const resetAtMs = Date.parse(resetsAt);
  deepEqual(await refusal({ ...scope, interval, limitNanoUsd: limit }, at), {
    rejected: 'rate_limited',
    message: `Rate limit exceeded: ${message}`,
    metadata: {
      reason: 'free_requests_exceeded',
      scope: 'account',
      limit: Number(limit),
      interval,
      resets_at: resetsAt,
    },
    rate: { limit: Number(limit), resetAtMs },
    retryAfterSeconds: Math.ceil((resetAtMs - at.getTime()) / 1_000),
  });
});
