import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Socket } from 'node:net';
import type { InferenceReply } from '@sluice/inference-port';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { forever, jsonHead, streamHead } from '../../testing/hostile-server.ts';
import { delta, hostileWorld, patient, type HostileWorld } from '../../testing/hostile-world.ts';
import {
  errorOf,
  eventsOf,
  eventually,
  responseOf,
  routingHarness,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

const mebibyte = 1024 * 1024;
const tooLong = 'The answer of the provider is longer than was asked for';

describe('an upstream that does not stop', () => {
  let routing: RoutingHarness;
  beforeAll(async () => {
    routing = await routingHarness();
  });
  afterAll(() => routing.stop());

  const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];
  test.each(models.flatMap((model) => [true, false].map((stream) => ({ model, stream }))))(
    'is ended when it has said many times what was asked for, with exact books: %o',
    async ({ model, stream }) => {
      const { ledger } = routing;
      const facts = ledger.facts.length;
      const receipts = (await routing.receipts()).length;
      const input = 'go on [sim:endless]';
      const reply = await routing.call({ model, input, stream, max_output_tokens: 1_000 });
      if (stream) {
        const text = await textOf(reply);
        ok(text.length < 32 * mebibyte, String(text.length));
        deepEqual(failureOf(text), ['response.failed', 'provider_unavailable', tooLong]);
      } else {
        const { message, metadata } = await errorOf(reply);
        deepEqual(
          [reply.status, message, metadata['error_type']],
          [502, tooLong, 'provider_unavailable'],
        );
      }
      const fact = await eventually(() => ledger.facts[facts], 'the usage fact');
      const { outcome, costNanoUsd, suspendedNanoUsd, holdNanoUsd } = fact;
      deepEqual([outcome, costNanoUsd, suspendedNanoUsd], ['failed', 0n, 0n]);
      const upstreams = (fact.upstreamCostNanoUsd ?? 0n) + fact.operatorSuspendedNanoUsd;
      ok(fact.inputTokens > 0n && upstreams > 0n && upstreams <= holdNanoUsd, String(upstreams));
      await eventually(
        async () => (await routing.receipts()).length === receipts + 1 || undefined,
        'the receipt',
      );
      equal(ledger.facts.length, facts + 1);
      equal(routing.keptBytes(), 0);
    },
  );

  test('is ended at the floor where little was asked for', async () => {
    const body = { model: 'sim/chat', input: '[sim:endless]', stream: true };
    const text = await textOf(await routing.call({ ...body, max_output_tokens: 16 }));
    ok(text.length < 8 * mebibyte);
    equal(failureOf(text)[2], tooLong);
  });

  test('is no reason against an answer that is as long as it may be', async () => {
    for (const stream of [true, false])
      for (const model of models) {
        const body = { model, input: 'all [sim:words-900]', stream, max_output_tokens: 4_000 };
        const reply = await routing.call(body);
        if (stream) equal((await eventsOf(reply)).at(-1)?.type, 'response.completed');
        else equal((await responseOf(reply)).status, 'completed');
      }
  });
});

describe('six upstreams that do not stop', () => {
  let world: HostileWorld;
  afterEach(() => world.stop());

  test('leave room for others: a good request is answered while they go on', async () => {
    world = await hostileWorld(patient);
    const { routing } = world;
    let ended = 0;
    const flood = (socket: Socket): void => {
      socket.write(streamHead);
      forever(socket, delta('x'.repeat(1_000)).repeat(64));
    };
    const floods = Array.from({ length: 6 }, async () => {
      const text = await textOf(await world.ask(flood, { maxOutputTokens: 4_000 }));
      ended += 1;
      return failureOf(text)[2];
    });
    await eventually(() => routing.keptBytes() > mebibyte || undefined, 'floods under way');
    const good = await responseOf(await routing.call({ model: 'sim/echo', input: 'hello' }));
    deepEqual([good.status, ended], ['completed', 0]);
    deepEqual(new Set(await Promise.all(floods)), new Set([tooLong]));
    equal(routing.keptBytes(), 0);
  });
});

describe('answers that together keep more than there is memory for', () => {
  let world: HostileWorld;
  afterEach(() => world.stop());

  const end =
    'data: {"id":"x","choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

  test('lose the largest of them; the others go on, and the memory is given back', async () => {
    world = await hostileWorld(patient, { keptBytesMax: 2 * mebibyte });
    const { routing } = world;
    const sockets: Socket[] = [];
    const ask = async (bytes: number): Promise<InferenceReply> =>
      await world.ask(
        (socket) => {
          sockets.push(socket);
          socket.write(streamHead + delta('y'.repeat(bytes)));
        },
        { maxOutputTokens: 1_000 },
      );
    const texts: Promise<string>[] = [];
    for (const bytes of [500_000, 900_000, 400_000]) {
      const before = routing.keptBytes();
      texts.push(textOf(await ask(bytes)));
      await eventually(() => routing.keptBytes() >= before + bytes || undefined, 'what was said');
    }
    texts.push(textOf(await ask(600_000)));
    const [, largest] = texts;
    deepEqual(failureOf((await largest) ?? ''), [
      'response.failed',
      'provider_overloaded',
      'There is no memory left for the answer of the provider',
    ]);
    await eventually(() => sockets.length === 4 || undefined, 'all of them');
    for (const socket of sockets) socket.end(end);
    const others = [texts[0], texts[2], texts[3]];
    for (const text of others) ok((await text)?.includes('"response.completed"'));
    await eventually(() => routing.keptBytes() === 0 || undefined, 'memory given back');
    const facts = await eventually(
      () => (routing.ledger.facts.length === 4 ? routing.ledger.facts : undefined),
      'all usage facts',
    );
    deepEqual(facts.map(({ outcome }) => outcome).toSorted(), [
      'completed',
      'completed',
      'completed',
      'failed',
    ]);
  });

  test('whole ones, too: a body that is not read to its end counts', async () => {
    world = await hostileWorld(patient, { keptBytesMax: mebibyte });
    const sockets: Socket[] = [];
    const ask = (bytes: number) =>
      world.ask(
        (socket) => {
          sockets.push(socket);
          socket.write(`${jsonHead}{"id":"${'z'.repeat(bytes)}`);
        },
        { stream: false },
      );
    const large = ask(700_000);
    await eventually(() => world.routing.keptBytes() >= 700_000 || undefined, 'the first body');
    const small = ask(500_000);
    equal((await large).status, 503);
    await eventually(() => world.routing.keptBytes() >= 500_000 || undefined, 'the second body');
    for (const socket of sockets) socket.end();
    equal((await small).status, 502);
    equal(world.routing.keptBytes(), 0);
  });
});

/** The last event of a stream that failed: its type, the error's type and its message. */
function failureOf(text: string): readonly (string | undefined)[] {
  const line = text.split('\n').findLast((each) => each.startsWith('data: {'));
  const event = JSON.parse(line?.slice('data: '.length) ?? '{}') as {
    readonly type?: string;
    readonly response?: {
      readonly error_type?: string;
      readonly error?: { readonly message?: string };
    };
  };
  return [event.type, event.response?.error_type, event.response?.error?.message];
}
