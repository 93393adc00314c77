import { deepEqual, equal } from 'node:assert/strict';
import { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import { KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { CreateWorkspaceRequest } from '@sluice/protos/sluice/workspace/v1/workspace';
import { describe, test } from 'vitest';
import {
  gatewayWorld,
  organizationId,
  otherWorkspaceId,
  ownerUserId,
  personalId,
  workspaceId,
} from '../../testing/gateway-world.ts';

const usd = (amount: number) => BigInt(amount * 1_000) * 1_000_000n;
const nothing = { lifetimeNanoUsd: 0n, dailyNanoUsd: 0n, weeklyNanoUsd: 0n, monthlyNanoUsd: 0n };

describe('GET /v1/key', () => {
  test('shows a regular key what it is, may and used', async () => {
    const { request, regular, ledger, dependencies } = await gatewayWorld();
    const context = CommandContext.fromPartial({ accountId: organizationId });
    const workspace = CreateWorkspaceRequest.fromPartial({ context, workspaceId });
    await dependencies.workspaces.createWorkspace(workspace);
    const expiresAt = '2027-01-01T00:00:00.000Z';
    const limits = { limitNanoUsd: usd(10), limitReset: 'daily', includeByokInLimit: true };
    const { key, secret } = regular({ ...limits, expiresAt, creatorUserId: ownerUserId });
    ledger.credit(organizationId, {
      hasPurchased: true,
      freeRequestsToday: { limit: 1_000n, used: 3n },
    });
    ledger.spend(key.hash, {
      credits: {
        lifetimeNanoUsd: usd(8),
        dailyNanoUsd: usd(1),
        weeklyNanoUsd: usd(2),
        monthlyNanoUsd: usd(4),
      },
      byok: { ...nothing, lifetimeNanoUsd: usd(0.5), dailyNanoUsd: usd(0.25) },
    });
    const { status, json } = await request('GET /v1/key', { key: secret });
    equal(status, 200);
    deepEqual(json, {
      data: {
        label: key.label,
        limit: 10,
        limit_remaining: 8.75,
        limit_reset: 'daily',
        include_byok_in_limit: true,
        usage: 8,
        usage_daily: 1,
        usage_weekly: 2,
        usage_monthly: 4,
        byok_usage: 0.5,
        byok_usage_daily: 0.25,
        byok_usage_weekly: 0,
        byok_usage_monthly: 0,
        is_free_tier: false,
        is_management_key: false,
        is_provisioning_key: false,
        creator_user_id: ownerUserId,
        expires_at: expiresAt,
        organization_id: organizationId,
        workspace_id: workspaceId,
        allowed_data_regions: ['global', 'europe', 'us'],
        free_model_daily_requests: { limit: 1_000, used: 3, remaining: 997 },
        rate_limit: { requests: -1, interval: '10s', note: 'Deprecated: carries no information.' },
      },
    });
  });

  test('shows a management key that it is one, of no workspace and without a cap', async () => {
    const { request, management } = await gatewayWorld();
    const { json } = await request('GET /v1/key', { key: management().secret });
    const data = json['data'] as Record<string, unknown>;
    deepEqual(
      [data['is_management_key'], data['is_provisioning_key'], data['is_free_tier']],
      [true, true, true],
    );
    deepEqual([data['workspace_id'], data['limit'], data['limit_remaining']], [null, null, null]);
  });

  test.each<[limit: bigint, used: bigint, remaining: number]>([
    [50n, 0n, 50],
    [50n, 50n, 0],
    // Usage that is counted late, or a limit that was lowered.
    [50n, 51n, 0],
  ])('shows %d free requests, %d used: %d remain', async (limit, used, remaining) => {
    const { request, regular, ledger } = await gatewayWorld();
    ledger.credit(organizationId, { freeRequestsToday: { limit, used } });
    const { json } = await request('GET /v1/key', { key: regular().secret });
    deepEqual((json['data'] as Record<string, unknown>)['free_model_daily_requests'], {
      limit: Number(limit),
      used: Number(used),
      remaining,
    });
  });

  test('knows a personal account from an organization', async () => {
    const { request, keys } = await gatewayWorld();
    const kind = KeyKind.KEY_KIND_REGULAR;
    const { secret } = keys.add({ accountId: personalId, kind });
    const { json } = await request('GET /v1/key', { key: secret });
    equal((json['data'] as Record<string, unknown>)['organization_id'], null);
  });

  test('says that its workspace is gone', async () => {
    const { request, regular } = await gatewayWorld();
    const { secret } = regular({ workspaceId: otherWorkspaceId });
    const { json } = await request('GET /v1/key', { key: secret });
    equal((json['data'] as Record<string, unknown>)['workspace_id'], null);
  });

  test('says which regions all guardrails of the key leave', async () => {
    const { request, regular, policies } = await gatewayWorld();
    const { secret } = regular();
    const regions = async () => {
      const { json } = await request('GET /v1/key', { key: secret });
      return (json['data'] as Record<string, unknown>)['allowed_data_regions'];
    };
    policies.demandRegions('europe', 'us');
    deepEqual(await regions(), ['europe', 'us']);
    policies.demandRegions('global', 'us');
    deepEqual(await regions(), ['us']);
    policies.demandRegions('europe');
    deepEqual(await regions(), []);
  });

  test('shows a change of the key made through this gateway at once', async () => {
    const { request, regular, management } = await gatewayWorld();
    const { key, secret } = regular();
    await request('GET /v1/key', { key: secret });
    const body = { limit: 3 };
    await request(`PATCH /v1/keys/${key.hash}`, { key: management().secret, body });
    const { json } = await request('GET /v1/key', { key: secret });
    equal((json['data'] as Record<string, unknown>)['limit'], 3);
  });
});
