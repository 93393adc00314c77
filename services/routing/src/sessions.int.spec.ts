import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from './testing/routing-harness.ts';

let replicas: readonly RoutingHarness[];
beforeAll(async () => {
  replicas = await Promise.all([routingHarness(), routingHarness()]);
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
});

async function providerOf(replica: RoutingHarness, session: string): Promise<string> {
  const body = { model: 'sim/trio', input: 'Hello', session_id: session };
  const client = { wantsMetadata: true } as const;
  const reply = await replica.call(body, { client });
  equal(reply.status, 200);
  const { service_metadata: metadata } = JSON.parse(await textOf(reply)) as {
    readonly service_metadata: { readonly attempts: readonly { readonly provider: string }[] };
  };
  return metadata.attempts[0]?.provider ?? '';
}

test('a session begins at the same endpoint in every replica, and another one elsewhere', async () => {
  const sessions = Array.from({ length: 24 }, (_, number) => `session-${number}`);
  const seen = await Promise.all(
    replicas.map(
      async (replica) => await Promise.all(sessions.map((one) => providerOf(replica, one))),
    ),
  );
  deepEqual(seen[0], seen[1]);
  ok(new Set(seen[0]).size > 1);
});
