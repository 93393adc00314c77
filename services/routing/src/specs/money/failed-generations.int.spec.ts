import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventually,
  textOf,
  type RoutingHarness,
  routingHarness,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ limits: { statusHeldMs: 50 } });
});
afterAll(() => routing.stop());

const recordOf = async (id: string | undefined) =>
  await eventually(
    () => routing.ledger.failures.find(({ generation }) => generation?.generationId === id),
    'a record of the failure',
  );

describe('a request that failed before any output', () => {
  test('leaves a record of the tried endpoints and reasons, and no usage', async () => {
    const reply = await routing.call(
      { model: 'sim/trio', input: '[sim:error-500]', user: 'customer-7' },
      { client: { userAgent: 'app/1' } },
    );
    equal(reply.status, 503);
    const { accountId, generation } = await recordOf(reply.headers['x-generation-id']);
    equal(accountId, 'account');
    ok(generation);
    deepEqual(
      generation.attempts.map(({ errorCode }) => errorCode),
      ['provider_unavailable', 'provider_unavailable', 'provider_unavailable'],
    );
    deepEqual(
      [generation.outcome, generation.costNanoUsd, generation.outputTokens, generation.provider],
      ['failed', 0n, 0n, ''],
    );
    deepEqual([generation.externalUser, generation.userAgent], ['customer-7', 'app/1']);
    const routed = JSON.parse(generation.routing) as { readonly order: readonly object[] };
    equal(routed.order.length, 3);
    deepEqual(routing.ledger.facts, []);
  });

  test('leaves it also when its status was out already', async () => {
    const body = { model: 'sim/echo', input: '[sim:wait-200] [sim:error-500]', stream: true };
    const reply = await routing.call(body);
    equal(reply.status, 200);
    ok((await textOf(reply)).includes('response.failed'));
    const { generation } = await recordOf(reply.headers['x-generation-id']);
    deepEqual([generation?.streamed, generation?.attempts.length], [true, 1]);
  });

  test('leaves it as cancelled when its client left', async () => {
    const leaving = new AbortController();
    const body = { model: 'sim/echo', input: '[sim:wait-400] [sim:error-500]', stream: true };
    const reply = await routing.call(body, { signal: leaving.signal });
    leaving.abort();
    const { generation } = await recordOf(reply.headers['x-generation-id']);
    equal(generation?.outcome, 'cancelled');
  });

  test('leaves none when it was refused before anybody was tried', async () => {
    const known = routing.ledger.failures.length;
    equal((await routing.call({ model: 'sim/echo' })).status, 400);
    equal((await routing.call({ model: 'no/such', input: 'x' })).status, 400);
    const reply = await routing.call({ model: 'sim/echo', input: '[sim:error-500]' });
    await recordOf(reply.headers['x-generation-id']);
    equal(routing.ledger.failures.length, known + 1);
  });
});
