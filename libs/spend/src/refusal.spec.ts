import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type Budget, createSpending, guardrailScopeId, refusalOf, Shortage } from './index.ts';
import { InMemoryAuthority } from './testing.ts';

const at = new Date('2026-11-20T12:00:00.000Z');
const limitNanoUsd = 12_500_000_000n;

interface Standing {
  readonly settledNanoUsd?: bigint;
  readonly heldNanoUsd?: bigint;
  readonly neededNanoUsd?: bigint;
  readonly instant?: Date;
}

/** Returns the refusal of a request under such a budget. */
async function refusal(
  changes: Partial<Budget>,
  {
    settledNanoUsd = changes.limitNanoUsd ?? limitNanoUsd,
    heldNanoUsd = 0n,
    neededNanoUsd = 1n,
    instant = at,
  }: Standing = {},
) {
  const limit = changes.limitNanoUsd ?? limitNanoUsd;
  const authority = new InMemoryAuthority({
    limitNanoUsd: () => limit,
    settledNanoUsd: () => settledNanoUsd,
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
  if (heldNanoUsd > 0n) {
    await spending.ask([budget], heldNanoUsd, instant);
    ok(!(spending.hold([budget], heldNanoUsd, instant) instanceof Shortage));
  }
  await spending.ask([budget], neededNanoUsd, instant);
  const shortage = spending.hold([budget], neededNanoUsd, instant);
  ok(shortage instanceof Shortage);
  return refusalOf(shortage, instant);
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
        left_usd: 0,
        held_usd: 0,
        needed_usd: 1e-9,
      },
      retryAfterSeconds: 216_000,
    });
  });

  test('for life is never whole again', async () => {
    const { message, metadata, retryAfterSeconds } = await refusal({ interval: null });
    deepEqual(message, 'Workspace lifetime budget of $12.5 exceeded. Contact your org admin.');
    deepEqual(metadata, {
      reason: 'workspace_budget_exceeded',
      scope: 'workspace',
      limit_usd: 12.5,
      interval: null,
      left_usd: 0,
      held_usd: 0,
      needed_usd: 1e-9,
    });
    equal(retryAfterSeconds, undefined);
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
        left_usd: 0,
        held_usd: 0,
        needed_usd: 1e-9,
        guardrail_id: 'g1',
      },
      retryAfterSeconds: 907_200,
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
  deepEqual(await refusal({ ...scope, interval, limitNanoUsd: limit }, { instant: at }), {
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

describe('a budget that is not used up', () => {
  const dollar = 1_000_000_000n;
  const lacking = { settledNanoUsd: 2n * dollar, neededNanoUsd: 11n * dollar };
  const figures = { left_usd: 10.5, held_usd: 0, needed_usd: 11 };

  test.each<[Partial<Budget>, string, string]>([
    [
      { scopeKind: 'account', scopeId: 'account', interval: null },
      'credits_exhausted',
      'Insufficient credits: ',
    ],
    [{ scopeKind: 'key', scopeId: 'key' }, 'key_limit_exceeded', 'Key limit of $12.5: '],
    [{}, 'workspace_budget_exceeded', 'Workspace weekly budget of $12.5: '],
    [
      { scopeKind: 'guardrail', scopeId: 'g1:member:m1', interval: 'daily' },
      'guardrail_budget_exceeded',
      'Guardrail daily budget of $12.5 for this member: ',
    ],
  ])('of %o is never said to be exceeded', async (changes, code, subject) => {
    const { rejected, message, metadata } = await refusal(changes, lacking);
    equal(rejected, code);
    equal(message, `${subject}$10.5 is left, and this request needs up to $11`);
    const { left_usd, held_usd, needed_usd } = metadata ?? {};
    deepEqual({ left_usd, held_usd, needed_usd }, figures);
  });

  test('says what running requests hold, and that waiting for them helps', async () => {
    const { message, retryAfterSeconds } = await refusal(
      {},
      { settledNanoUsd: 0n, heldNanoUsd: 4n * dollar, neededNanoUsd: 10n * dollar },
    );
    equal(
      message,
      'Workspace weekly budget of $12.5: $8.5 is left, $4 more is held by running requests, ' +
        'and this request needs up to $10',
    );
    equal(retryAfterSeconds, 1);
  });

  test('and can never hold the request says nothing of waiting', async () => {
    const { retryAfterSeconds } = await refusal({}, { ...lacking, neededNanoUsd: 13n * dollar });
    equal(retryAfterSeconds, undefined);
  });
});
