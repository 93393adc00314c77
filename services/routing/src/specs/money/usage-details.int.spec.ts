import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { InferenceCall } from '@sluice/inference-port';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventually,
  routingHarness,
  somebody,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

async function factOf(body: object, more: Partial<InferenceCall> = {}): Promise<UsageRecorded> {
  const reply = await routing.service.inference.createResponse({
    dialect: 'responses',
    principal: somebody,
    requestId: 'req-test',
    body: Buffer.from(JSON.stringify(body)),
    signal: new AbortController().signal,
    ...more,
  });
  equal(reply.status, 200);
  await textOf(reply);
  const id = reply.headers['x-generation-id'];
  return await eventually(
    () => routing.ledger.facts.find((fact) => fact.generationId === id),
    'the usage fact',
  );
}

describe('a usage fact', () => {
  test('has the user, the end user and the application', async () => {
    const client = {
      referer: 'https://app.example.com/',
      userAgent: 'app/1',
      title: 'My app',
      categories: ['cli-agent', 'game'],
    };
    const principal = { ...somebody, creatorUserId: 'user_1' };
    const body = { model: 'sim/echo', input: 'x', user: 'customer-7', session_id: 's-1' };
    const fact = await factOf(body, { client, principal });
    deepEqual(
      [fact.userId, fact.externalUser, fact.sessionId, fact.httpReferer, fact.userAgent],
      ['user_1', 'customer-7', 's-1', 'https://app.example.com/', 'app/1'],
    );
    deepEqual([fact.appTitle, fact.appCategories], ['My app', ['cli-agent', 'game']]);
  });

  test('omits facts that the client did not send', async () => {
    const fact = await factOf({ model: 'sim/echo', input: 'x' });
    deepEqual(
      [fact.userId, fact.externalUser, fact.sessionId, fact.httpReferer, fact.userAgent],
      ['', '', '', '', ''],
    );
  });

  for (const stream of [false, true])
    test(`says how the first output came, and the upstream's word for the end (stream: ${stream})`, async () => {
      const fact = await factOf({ model: 'sim/chat', input: 'x', stream });
      equal(fact.nativeFinishReason, 'stop');
      ok(fact.latencyMs !== undefined);
      const durationMs = Date.parse(fact.completedAt) - Date.parse(fact.admittedAt);
      ok(fact.latencyMs >= 0n && fact.latencyMs <= BigInt(durationMs), String(fact.latencyMs));
      const [attempt, ...others] = fact.attempts;
      deepEqual(others, []);
      equal(attempt?.errorCode, '');
      equal(attempt?.provider, fact.provider);
      equal(attempt?.endpointId, fact.endpointId);
      match(fact.endpointId, uuid);
    });

  test('names the endpoints that were tried before, and why they failed', async () => {
    const fact = await factOf({ model: 'sim/fallback', input: 'x' });
    equal(fact.attempts.length, 2);
    const [failed, last] = fact.attempts;
    equal(failed?.errorCode, 'unavailable');
    equal(last?.errorCode, '');
    ok(failed?.endpointId !== last?.endpointId);
    equal(last?.endpointId, fact.endpointId);
  });

  test('names the same endpoint for the same model, and another for another', async () => {
    const [echo, again, chat] = [
      await factOf({ model: 'sim/echo', input: 'x' }),
      await factOf({ model: 'sim/echo', input: 'y' }),
      await factOf({ model: 'sim/chat', input: 'x' }),
    ];
    equal(echo.endpointId, again.endpointId);
    ok(echo.endpointId !== chat.endpointId);
  });
});
