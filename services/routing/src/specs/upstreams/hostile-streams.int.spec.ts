import { deepEqual, equal, ok } from 'node:assert/strict';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  dripping,
  forever,
  jsonHead,
  streamHead,
  type Scenario,
} from '../../testing/hostile-server.ts';
import {
  delta,
  hostileWorld,
  patient,
  sends,
  type HostileWorld,
} from '../../testing/hostile-world.ts';
import { eventsOf, eventually, responseOf, textOf } from '../../testing/routing-harness.ts';

let world: HostileWorld;
/** It waits for the first output as `world` does, and not for what comes after it. */
let hasty: HostileWorld;
beforeAll(async () => {
  world = await hostileWorld(patient);
  hasty = await hostileWorld({ ...patient, idleTimeoutMs: 150 });
});
afterAll(async () => {
  await world.stop();
  await hasty.stop();
});

async function factOf({ routing }: HostileWorld, id: string | undefined): Promise<UsageRecorded> {
  return await eventually(
    () => routing.ledger.facts.find(({ generationId }) => generationId === id),
    'the usage fact',
  );
}

describe('after the first output', () => {
  const begun = streamHead + delta('one ') + delta('two ');

  test.each<[string, Scenario, string]>([
    ['half-closes', sends(begun), 'provider_unavailable'],
    [
      'breaks the connection',
      (socket) => void socket.write(begun, () => setTimeout(() => socket.resetAndDestroy(), 20)),
      'provider_unavailable',
    ],
    ['falls silent', (socket) => void socket.write(begun), 'timeout'],
    [
      'gives signs of life and says nothing more',
      (socket) => (socket.write(begun), dripping(socket, ': alive\n\n', 20)),
      'timeout',
    ],
    [
      'sends events that say nothing more',
      (socket) => (socket.write(begun), dripping(socket, 'data: {"choices":[]}\n\n', 20)),
      'timeout',
    ],
    ['sends an event that is none', sends(begun, 'data: {nonsense\n\n'), 'provider_unavailable'],
    [
      'sends an event of more than 16 MiB',
      (socket) => (socket.write(`${begun}data: `), forever(socket, 'x'.repeat(65_536))),
      'provider_unavailable',
    ],
    [
      'never stops',
      (socket) => (socket.write(begun), forever(socket, delta('x'.repeat(1_000_000)))),
      'provider_unavailable',
    ],
  ])(
    'an upstream that %s ends the stream as failed, in one fact that costs the customer nothing',
    async (_, scenario, type) => {
      const asked = type === 'timeout' ? hasty : world;
      const reply = await asked.ask(scenario);
      equal(reply.status, 200);
      const last = (await eventsOf(reply)).at(-1) as unknown as {
        type: string;
        response: { error_type: string };
      };
      deepEqual([last.type, last.response.error_type], ['response.failed', type]);
      const fact = await factOf(asked, reply.headers['x-generation-id']);
      equal(fact.outcome, 'failed');
      const { costNanoUsd, upstreamCostNanoUsd = 0n, suspendedNanoUsd } = fact;
      deepEqual([costNanoUsd, suspendedNanoUsd], [0n, 0n]);
      ok(fact.outputTokens > 0n && upstreamCostNanoUsd > 0n);
      const { generationId } = fact;
      equal(
        asked.routing.ledger.facts.filter((each) => each.generationId === generationId).length,
        1,
      );
    },
  );

  test('one event above the bound of waiting bytes is delivered in full', async () => {
    const large = 'y'.repeat(900_000);
    const end =
      'data: {"id":"x","choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    const scenario: Scenario = (socket) => {
      socket.write(begun, () => setImmediate(() => socket.write(delta(large) + end)));
    };
    const last = (await eventsOf(await world.ask(scenario))).at(-1);
    equal(last?.type, 'response.completed');
    equal(last.response?.output_text, `one two ${large}`);
  });

  test('invalid UTF-8 becomes replacement characters, and the stream stays well-formed', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${streamHead}data: {"id":"x","choices":[{"delta":{"content":"a`),
      Buffer.from([0xff, 0xc3, 0x28]),
      Buffer.from('b"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'),
    ]);
    const text = await textOf(await world.ask(sends(bytes)));
    ok(text.includes('a\ufffd\ufffd(b'), text);
    ok(text.isWellFormed());
  });

  test('bytes after the end are not read', async () => {
    const end =
      'data: {"id":"x","choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    const scenario: Scenario = (socket) => {
      socket.write(begun + end);
      forever(socket, delta('late'));
    };
    const last = (await eventsOf(await world.ask(scenario))).at(-1) as unknown as {
      readonly type: string;
      readonly response: { readonly output_text: string };
    };
    deepEqual([last.type, last.response.output_text], ['response.completed', 'one two ']);
  });

  test('a usage beyond what was held is not charged beyond it', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 20_000 };
    const body = {
      id: 'x',
      choices: [{ message: { content: 'a' }, finish_reason: 'stop' }],
      usage,
    };
    const reply = await world.ask(sends(jsonHead, JSON.stringify(body)), { stream: false });
    equal((await responseOf(reply)).status, 'completed');
    const fact = await factOf(world, reply.headers['x-generation-id']);
    equal(fact.costNanoUsd, fact.holdNanoUsd);
    ok(fact.claimedNanoUsd > 0n);
  });
});
