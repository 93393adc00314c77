import { deepEqual, equal } from 'node:assert/strict';
import type {
  BudgetProof,
  GetConservationProofResponse,
} from '@sluice/protos/sluice/ledger/v1/ledger';
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

describe('GET /proof/conservation', () => {
  const proof: GetConservationProofResponse = {
    at: '2026-11-18T20:00:00.000Z',
    reportedAt: '2026-11-18T19:59:59.000Z',
    admitted: 10n,
    settled: 5n,
    underWay: 2n,
    released: 1n,
    open: 2n,
    settledNanoUsd: 9_007_199_254_740_993n,
    openHoldNanoUsd: 7n,
    openAttempts: ['gen-1/1/1', 'gen-2/1/1'].map((usageId) => ({
      usageId,
      accountId: organizationId,
      admittedAt: '2026-11-18T19:59:00.000Z',
      holdNanoUsd: 3n,
    })),
    suspended: 1n,
    suspendedNanoUsd: 4n,
    claimedNanoUsd: 5n,
    suspendedUsageIds: ['gen-3/1/1'],
  };

  test('shows what was admitted, what became of it, and whether that is all', async () => {
    const world = await gatewayWorld();
    const { secret: key } = world.management();
    world.ledger.conserve(organizationId, proof);
    const ask = async (query = '') =>
      (await world.request(`GET /proof/conservation${query}`, { key })).json['data'];
    const shown = {
      from: '2026-11-18',
      to: null,
      at: proof.at,
      reported_at: proof.reportedAt,
      admitted: 10,
      settled: 5,
      under_way: 2,
      released: 1,
      open: { attempts: 2, hold_nano_usd: '7', usage_ids: ['gen-1/1/1', 'gen-2/1/1'] },
      settled_nano_usd: '9007199254740993',
      suspense: {
        attempts: 1,
        held_nano_usd: '4',
        claimed_nano_usd: '5',
        usage_ids: ['gen-3/1/1'],
      },
      is_conserved: true,
    };
    deepEqual(await ask('?from=2026-11-18'), shown);
    for (const wrong of [
      { admitted: 11n },
      { settled: 6n, underWay: 2n, open: 2n, released: -1n },
    ]) {
      world.ledger.conserve(organizationId, { ...proof, ...wrong });
      equal(((await ask()) as { is_conserved: boolean }).is_conserved, false);
    }
    world.ledger.conserve(organizationId, { ...proof, reportedAt: '' });
    equal(((await ask()) as { reported_at: null }).reported_at, null);
  });

  test('is refused without days, and to a regular key', async () => {
    const world = await gatewayWorld();
    world.ledger.conserve(organizationId, proof);
    const { secret: key } = world.management();
    for (const query of [
      'from=today',
      'to=2026-11-18T00:00:00Z',
      'day=2026-11-18',
      'from=2026-12-01&to=2026-11-01',
    ])
      equal((await world.request(`GET /proof/conservation?${query}`, { key })).status, 400, query);
    const { secret: regular } = world.regular();
    equal((await world.request('GET /proof/conservation', { key: regular })).status, 403);
  });
});
