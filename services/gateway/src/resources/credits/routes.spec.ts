import { deepEqual, equal, match } from 'node:assert/strict';
import type { Issue } from '@sluice/errors';
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

  test('shows what was known at a past instant', async () => {
    const world = await gatewayWorld();
    const { secret: key } = world.management();
    world.ledger.credit(organizationId, { totalCreditsNanoUsd: 10_000_000_000n });
    const at = '2026-11-01T00:00:00Z';
    world.ledger.credit(organizationId, { totalCreditsNanoUsd: 3_000_000_000n }, at);
    const { json } = await world.request(`GET /v1/credits?at=${at}`, { key });
    deepEqual(json, { data: { total_credits: 3, total_usage: 0 } });
  });

  test.each([
    ['yesterday', /^must be a past instant/],
    ['2026-11-01', /^must be a past instant/],
    ['2026-02-30T00:00:00Z', /^must be /],
    ['2026-11-20T12:00:00.001Z', /^must not be in the future$/],
  ])('is refused for the instant %s', async (at, sentence) => {
    const world = await gatewayWorld();
    const { secret: key } = world.management();
    const { status, json } = await world.request(`GET /v1/credits?at=${at}`, { key });
    equal(status, 400);
    const { issues } = (json['error'] as { metadata: { issues: readonly Issue[] } }).metadata;
    deepEqual(
      issues.map(({ path }) => path),
      ['at'],
    );
    match(issues[0]?.message ?? '', sentence);
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
