import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { gatewayWorld, organizationId, personalId } from '../../testing/gateway-world.ts';

describe('GET /v1/credits', () => {
  test('shows what the account of the key has and used, in USD', async () => {
    const world = await gatewayWorld();
    world.ledger.credit(organizationId, {
      totalCreditsNanoUsd: 10_000_000_000n,
      totalUsageNanoUsd: 1_234_567_891n,
    });
    const { status, json } = await world.request('GET /v1/credits', {
      key: world.management().secret,
    });
    equal(status, 200);
    deepEqual(json, { data: { total_credits: 10, total_usage: 1.234567891 } });
  });

  test('shows nothing of another account', async () => {
    const world = await gatewayWorld();
    world.ledger.credit(personalId, { totalCreditsNanoUsd: 5n });
    const { json } = await world.request('GET /v1/credits', { key: world.management().secret });
    deepEqual(json, { data: { total_credits: 0, total_usage: 0 } });
  });

  test('is refused to a regular key', async () => {
    const world = await gatewayWorld();
    const { status, json } = await world.request('GET /v1/credits', {
      key: world.regular().secret,
    });
    equal(status, 403);
    deepEqual(json, {
      error: {
        code: 403,
        message: 'Only management keys can perform this operation',
        metadata: { error_type: 'permission_denied' },
      },
    });
  });
});
