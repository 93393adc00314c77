import { deepEqual, equal } from 'node:assert/strict';
import type { BudgetProof } from '@sluice/protos/sluice/ledger/v1/ledger';
import { describe, test } from 'vitest';
import { gatewayWorld, organizationId, personalId } from '../../testing/gateway-world.ts';

const budget: BudgetProof = {
  scopeKind: 'account',
  scopeId: organizationId,
  windowKind: 'lifetime',
  windowStart: '1970-01-01T00:00:00.000Z',
  limitNanoUsd: 9_007_199_254_740_993n,
  includeByok: false,
  settledNanoUsd: 9_007_199_254_740_990n,
  suspendedNanoUsd: 0n,
  leasedNanoUsd: 3n,
  leases: 1n,
  heldNanoUsd: 2n,
};

describe('GET /proof/budget/:id', () => {
  test('shows the figures of the credits to the last digit, and whether they are within the limit', async () => {
    const world = await gatewayWorld();
    const { secret: key } = world.management();
    const ask = async () =>
      (await world.request('GET /proof/budget/credits', { key })).json['data'];
    const shown = {
      scope: 'account',
      window: 'lifetime',
      window_start: '1970-01-01T00:00:00.000Z',
      includes_byok: false,
      limit_nano_usd: '9007199254740993',
      settled_nano_usd: '9007199254740990',
      suspended_nano_usd: '0',
      leased_nano_usd: '3',
      held_nano_usd: '2',
      leases: 1,
      is_within_limit: true,
    };
    const at = '2026-11-18T20:00:00.000Z';
    world.ledger.budget(organizationId, organizationId, budget);
    deepEqual(await ask(), { id: 'credits', at, budgets: [shown] });
    world.ledger.budget(organizationId, organizationId, { ...budget, leasedNanoUsd: 4n });
    const over = { ...shown, leased_nano_usd: '4', is_within_limit: false };
    deepEqual(await ask(), { id: 'credits', at, budgets: [over] });
  });

  test('shows the budget of a key of the account', async () => {
    const world = await gatewayWorld();
    const hash = 'a'.repeat(64);
    world.ledger.budget(organizationId, hash, { ...budget, scopeKind: 'key' });
    const { secret: key } = world.management();
    equal((await world.request(`GET /proof/budget/${hash}`, { key })).status, 200);
  });

  test('shows the budgets of a workspace, and of a guardrail that of each assignee', async () => {
    const world = await gatewayWorld();
    const { secret: key } = world.management();
    const [workspace, guardrail] = [
      '0190a000-0000-7000-8000-000000000010',
      '0190a000-0000-7000-8000-000000000020',
    ];
    const figures = { ...budget, scopeKind: 'workspace', scopeId: workspace };
    world.ledger.budget(organizationId, workspace, figures);
    const scopeId = `${guardrail}:member:user_1`;
    world.ledger.budget(organizationId, guardrail, { ...budget, scopeKind: 'guardrail', scopeId });
    const shown = async (id: string) => {
      const { json } = await world.request(`GET /proof/budget/${id}`, { key });
      const { budgets } = json['data'] as { budgets: readonly Record<string, unknown>[] };
      return [budgets[0]?.['scope'], budgets[0]?.['assignee']];
    };
    deepEqual(await shown(workspace), ['workspace', undefined]);
    deepEqual(await shown(guardrail), ['guardrail', { kind: 'member', id: 'user_1' }]);
  });

  test('shows of a past instant what is known of it', async () => {
    const world = await gatewayWorld();
    const { secret: key } = world.management();
    const past = { leasedNanoUsd: undefined, leases: undefined, heldNanoUsd: undefined };
    world.ledger.budget(organizationId, organizationId, { ...budget, ...past });
    const at = '2026-11-01T00:00:00Z';
    const { json } = await world.request(`GET /proof/budget/credits?at=${at}`, { key });
    const { budgets } = json['data'] as { budgets: readonly Record<string, unknown>[] };
    deepEqual([budgets[0]?.['leased_nano_usd'], budgets[0]?.['is_within_limit']], [null, true]);
    for (const wrong of ['yesterday', '2026-11-01', '2026-11-01T00:00:00%2B01:00'])
      equal((await world.request(`GET /proof/budget/credits?at=${wrong}`, { key })).status, 400);
  });

  test('is not found for what has no limit, another account or no id', async () => {
    const world = await gatewayWorld();
    world.ledger.budget(personalId, personalId, budget);
    world.ledger.budget(organizationId, organizationId, budget);
    const { secret: key } = world.management();
    for (const id of ['b'.repeat(64), personalId, organizationId, 'x'])
      equal((await world.request(`GET /proof/budget/${id}`, { key })).status, 404, id);
  });

  test('is refused to a regular key', async () => {
    const world = await gatewayWorld();
    const { secret: key } = world.regular();
    equal((await world.request('GET /proof/budget/credits', { key })).status, 403);
  });
});
