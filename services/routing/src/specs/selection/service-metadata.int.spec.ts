import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventsOf,
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

interface Answer {
  readonly service_metadata?: Readonly<Record<string, unknown>>;
}
const wants = { client: { wantsMetadata: true } } as const;

async function answerTo(body: object, options: object = wants): Promise<Answer> {
  return JSON.parse(await textOf(await routing.call(body, options))) as Answer;
}

describe('how a request was routed', () => {
  test('is returned only to a client that asks for it', async () => {
    const body = { model: 'sim/trio', input: 'x', provider: { sort: 'price', ignore: ['sim-b'] } };
    const { generation_time: timeMs, ...metadata } = (await answerTo(body)).service_metadata ?? {};
    ok(typeof timeMs === 'number');
    deepEqual(metadata, {
      requested: 'sim/trio',
      strategy: 'direct',
      region: null,
      summary: 'available=2, selected=sim-a',
      attempt: 1,
      is_byok: false,
      endpoints: {
        total: 3,
        available: [
          { model: 'sim/trio', provider: 'sim-a', selected: true },
          { model: 'sim/trio', provider: 'sim-c', selected: false },
        ],
      },
      attempts: [{ provider: 'sim-a', model: 'sim/trio', status: 200 }],
    });
    equal((await answerTo(body, {})).service_metadata, undefined);
  });

  test('names each attempt, and the fallback that served', async () => {
    const body = { model: 'sim/sim-error-503', models: ['sim/echo'], input: 'x' };
    const metadata = (await answerTo(body)).service_metadata;
    deepEqual([metadata?.['strategy'], metadata?.['attempt']], ['fallback', 2]);
    deepEqual(metadata?.['attempts'], [
      { provider: 'simulator', model: 'sim/sim-error-503', status: 503 },
      { provider: 'simulator', model: 'sim/echo', status: 200 },
    ]);
  });

  test('is in the last event of a stream alone', async () => {
    const body = { model: 'sim/echo', input: 'x', stream: true };
    const events = (await eventsOf(await routing.call(body, wants))) as readonly {
      readonly response?: Answer;
    }[];
    const having = events.filter(({ response }) => response?.service_metadata);
    deepEqual(having, [events.at(-1)]);
  });

  test('stands beside an error, unless nothing was to be routed', async () => {
    const failed = await answerTo({ model: 'sim/sim-error-503', input: 'x' });
    deepEqual(failed.service_metadata?.['attempt'], 0);
    deepEqual(failed.service_metadata?.['summary'], 'available=1');
    equal((await answerTo({ model: 'sim/echo' })).service_metadata, undefined);
  });

  test('is stored with the usage: available, excluded and tried endpoints with reasons', async () => {
    const body = { model: 'sim/trio', input: 'x', provider: { sort: 'price', ignore: ['sim-b'] } };
    const reply = await routing.call(body);
    const id = `${reply.headers['x-generation-id'] ?? ''}/`;
    const fact = await eventually(
      () => routing.ledger.facts.find(({ usageId }) => usageId.startsWith(id)),
      'the usage fact',
    );
    const kept = JSON.parse(fact.routing) as {
      readonly candidates: readonly { readonly endpoint_id: string; readonly tag: string }[];
      readonly excluded: readonly unknown[];
      readonly order: readonly unknown[];
    };
    const [a, b, c] = kept.candidates.map(({ endpoint_id }) => endpoint_id);
    deepEqual(
      kept.candidates.map(({ tag }) => tag),
      ['sim-a/us-east', 'sim-b', 'sim-c'],
    );
    deepEqual(kept.excluded, [{ endpoint_id: b, filter: 'allowed_providers' }]);
    deepEqual(kept.order, [
      { endpoint_id: a, reason: 'sort by price' },
      { endpoint_id: c, reason: 'sort by price' },
    ]);
  });
});
