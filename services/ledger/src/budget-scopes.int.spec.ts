import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact } from '@sluice/usage-facts/testing';
import { credits, lease, leaseFixture } from './testing/lease-fixture.ts';

describe('the budgets of others than keys', () => {
  const day = { windowKind: 'daily', windowStart: '2026-11-18T00:00:00.000Z' };
  const workspaceDay = { ...credits, scopeKind: 'workspace', scopeId: 'ws_1', ...day };
  const guardrailDay = (assignee: string) => ({
    ...credits,
    scopeKind: 'guardrail',
    scopeId: `g1:${assignee}`,
    ...day,
  });

  test('of a workspace count what it spent before it had one, in its own window', async () => {
    const { one, limit, publish, until, count } = await leaseFixture(0n);
    await publish(
      aFact({ costNanoUsd: 30n }),
      aFact({ costNanoUsd: 7n, isByok: true }),
      aFact({ costNanoUsd: 90n, workspaceId: 'ws_2' }),
      aFact({ costNanoUsd: 90n, admittedAt: '2026-11-17T23:59:59.999Z' }),
    );
    await until(async () => (await count('usage_facts')) === 4);
    await limit({ scopeKind: 'workspace', scopeId: 'ws_1' }, 100n);
    const answer = await one('a', lease(1n, 100n, { budget: workspaceDay }));
    deepEqual([answer.settledNanoUsd, answer.grantedNanoUsd], [30n, 70n]);
  });

  test('of a guardrail are one per assignee, by the one limit of the guardrail', async () => {
    const { one, limit, publish, until, count } = await leaseFixture(0n);
    await limit({ scopeKind: 'guardrail', scopeId: 'g1' }, 50n);
    const spent = { guardrailScopes: ['g1:member:user_1', 'g1:key:key1'] };
    await publish(aFact({ costNanoUsd: 50n, ...spent }));
    await until(async () => (await count('usage_facts')) === 1);
    const granted = async (number: bigint, assignee: string) =>
      (await one('a', lease(number, 60n, { budget: guardrailDay(assignee) }))).grantedNanoUsd;
    equal(await granted(1n, 'member:user_1'), 0n);
    equal(await granted(2n, 'member:user_2'), 50n);
    equal(await granted(3n, 'key:key1'), 0n);
    equal(await granted(4n, 'workspace:ws_1'), 50n);
  });

  test('follow their limit, and hold what a replica reports until the report is received', async () => {
    const { one, limit } = await leaseFixture(0n);
    const budget = guardrailDay('member:user_1');
    const asked = lease(1n, 1_000n, { budget, limitNanoUsd: 40n });
    equal((await one('a', asked)).grantedNanoUsd, 40n);
    await limit({ scopeKind: 'guardrail', scopeId: 'g1' }, 90n);
    equal((await one('a', { ...asked, grantedNanoUsd: 40n })).grantedNanoUsd, 90n);
  });

  test.each(['g1', 'g1:team:x', 'g1:key:', ':key:x', 'g1:key:a:b'])(
    'are none of a guardrail named %s',
    async (scopeId) => {
      const { one } = await leaseFixture(0n);
      const budget = { ...guardrailDay('key:key1'), scopeId };
      await rejects(one('a', lease(1n, 1n, { budget })), { code: 'invalid_request' });
    },
  );
});
