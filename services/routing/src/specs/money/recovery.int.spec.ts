import { isStream } from '@sluice/inference-port';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readStream } from '@sluice/testing/response-stream';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { recover } from '../../usage/journal/recover.ts';
import {
  eventually,
  routingHarness,
  somebody,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeEach(async () => {
  routing = await routingHarness();
});
afterEach(() => routing.stop());

const dead = (routing: RoutingHarness) => routing.service.stop();

test('a stream whose usage cannot be written ends as broken, not as complete', async () => {
  const reply = await routing.call(
    { model: 'sim/sim-slow-5', input: '[sim:words-10]', stream: true },
    { mayBreak: true },
  );
  ok(isStream(reply.body));
  const pieces: Uint8Array[] = [];
  for await (const piece of reply.body) {
    if (pieces.length === 0) await routing.crash();
    pieces.push(piece);
  }
  const events = readStream(Buffer.concat(pieces).toString(), { mayBreak: true });
  const last = events.at(-1);
  deepEqual([last?.type, last?.['code'], last?.['param']], ['error', 'server_error', null]);
  ok(events.some((event) => event.type === 'response.output_text.delta'));
});

describe('after a crash', () => {
  test('a generation without an end is billed up to its last mark, and said to be interrupted', async () => {
    const reply = await routing.call({
      model: 'sim/sim-slow-1',
      input: '[sim:words-2000]',
      stream: true,
    });
    ok(isStream(reply.body));
    const iterator = reply.body[Symbol.asyncIterator]();
    await iterator.next();
    const marked = await eventually(async () => {
      const { interrupted } = await recover(routing.spool);
      const progress = interrupted[0]?.progress;
      return progress && progress.outputTokens > 0 ? progress : undefined;
    }, 'a progress mark');
    const first = routing.service;
    await routing.crash();
    await routing.start();
    const fact = await eventually(() => routing.ledger.facts[0], 'the fact of the crash');
    deepEqual([fact.outcome, fact.estimated, fact.finishReason], ['interrupted', true, '']);
    equal(fact.generationId, reply.headers['x-generation-id']);
    ok(fact.outputTokens >= BigInt(marked.outputTokens));
    equal(fact.costNanoUsd, fact.inputTokens * 1_000n + fact.outputTokens * 2_000n);
    deepEqual([fact.estimateReason, fact.upstreamId], ['interrupted', marked.upstreamId]);
    ok(fact.upstreamId !== '' && fact.suspendedNanoUsd > 0n);
    equal(fact.costNanoUsd + fact.suspendedNanoUsd, fact.holdNanoUsd);
    deepEqual([fact.epoch, fact.sequence], [2n, 1n]);
    await iterator.return?.();
    await first.stop();
  });

  for (const [dialect, model] of [
    ['responses', 'sim/sim-slow-5'],
    ['chat completions', 'sim/chat-sim-slow-5'],
  ] as const)
    test(`the provider is asked what it served of it, by the name in the spool (${dialect})`, async () => {
      const reply = await routing.call({ model, input: '[sim:words-100]', stream: true });
      await eventually(async () => {
        const { interrupted } = await recover(routing.spool);
        return interrupted[0]?.progress?.upstreamId;
      }, 'the name in the spool');
      const first = routing.service;
      await routing.crash();
      await routing.start();
      const fact = await eventually(() => routing.ledger.facts[0], 'the fact of the crash');
      const correction = await eventually(
        () => routing.ledger.corrections.get(fact.usageId),
        'what the provider says',
      );
      const receipt = (await routing.receipts()).find(({ id }) => id === fact.upstreamId);
      deepEqual(
        [correction.upstreamId, correction.inputTokens, correction.outputTokens, correction.isFree],
        [
          receipt?.id,
          BigInt(receipt?.input_tokens ?? 0),
          BigInt(receipt?.output_tokens ?? 0),
          false,
        ],
      );
      equal(receipt?.client_request_id, fact.usageId);
      ok(isStream(reply.body));
      await reply.body[Symbol.asyncIterator]().return?.();
      await first.stop();
    });

  test('the searches of the provider are in what it says, too', async () => {
    const tools = [{ type: 'service:web_search' }];
    const input = 'call web_search Which moons? [sim:slow-40]';
    const reply = await routing.call({ model: 'sim/native', input, tools, stream: true });
    ok(isStream(reply.body));
    const iterator = reply.body[Symbol.asyncIterator]();
    await eventually(async () => {
      const { interrupted } = await recover(routing.spool);
      return interrupted[0]?.progress?.upstreamId;
    }, 'the name in the spool');
    const first = routing.service;
    await routing.crash();
    await routing.start();
    const fact = await eventually(() => routing.ledger.facts[0], 'the fact of the crash');
    const correction = await eventually(
      () => routing.ledger.corrections.get(fact.usageId),
      'what the provider says',
    );
    const receipt = (await routing.receipts()).find(({ id }) => id === fact.upstreamId);
    equal(receipt?.web_searches, 1);
    equal(correction.webSearches, 1n);
    await iterator.return?.();
    await first.stop();
  });

  test('a final that the bus never had goes out again with the same id and place', async () => {
    routing.bus.setConnected(false);
    const reply = await routing.call({ model: 'sim/echo', input: 'hello' });
    equal(reply.status, 200);
    equal(routing.ledger.facts.length, 0);
    const first = routing.service;
    await routing.crash();
    routing.bus.setConnected(true);
    await routing.start();
    const fact = await eventually(() => routing.ledger.facts[0], 'the fact');
    deepEqual([fact.outcome, fact.epoch, fact.sequence], ['completed', 1n, 1n]);
    await first.stop();
  });

  test('a final that the ledger has counted does not go out again', async () => {
    await textOf(await routing.call({ model: 'sim/echo', input: 'counted' }));
    await eventually(() => routing.ledger.facts.length === 1 || undefined, 'the first fact');
    routing.bus.setConnected(false);
    await textOf(await routing.call({ model: 'sim/echo', input: 'not counted' }));
    const first = routing.service;
    await routing.crash();
    routing.bus.setConnected(true);
    await routing.start();
    await eventually(() => routing.ledger.facts.length === 2 || undefined, 'the second fact');
    equal(routing.published.length, 2);
    await first.stop();
  });

  test('a ledger that is away is not waited for: all goes out again, and is counted once', async () => {
    await textOf(await routing.call({ model: 'sim/echo', input: 'counted' }));
    await eventually(() => routing.ledger.facts.length === 1 || undefined, 'the fact');
    await textOf(await routing.call({ model: 'sim/echo', input: 'and in another message' }));
    await eventually(() => routing.ledger.facts.length === 2 || undefined, 'the other fact');
    const { published } = routing;
    const first = routing.service;
    await routing.crash();
    routing.ledger.isUp = false;
    await routing.start();
    equal(routing.service.unreadiness().length, 0);
    await eventually(() => published.length === 4 || undefined, 'the same facts, in one message');
    deepEqual(published.slice(2), published.slice(0, 2));
    routing.ledger.isUp = true;
    equal(routing.ledger.facts.length, 2);
    await first.stop();
  });

  test('what is not counted yet is still spent', async () => {
    routing.bus.setConnected(false);
    const principal = { ...somebody, limitNanoUsd: 9_000_000n };
    const words = { model: 'sim/echo', input: '[sim:words-1500]' };
    const first = await routing.call(words, { principal });
    await textOf(first);
    equal(first.status, 200);
    const before = routing.service;
    await routing.crash();
    await routing.start();
    equal(routing.ledger.facts.length, 0);
    const again = await routing.call({ ...words, max_output_tokens: 3_500 }, { principal });
    equal(again.status, 402);
    routing.bus.setConnected(true);
    await before.stop();
  });

  test('what its leases had left is free again, but not before all they paid for is counted', async () => {
    await textOf(await routing.call({ model: 'sim/echo', input: 'hello' }));
    routing.bus.setConnected(false);
    const cut = await routing.call({ model: 'sim/echo', input: 'hello' });
    equal(cut.status, 200);
    const first = routing.service;
    await routing.crash();
    await routing.start();
    const left = routing.ledger.leasedNanoUsd('account');
    ok(left > 0n);
    routing.bus.setConnected(true);
    await eventually(() => routing.ledger.facts.length === 2 || undefined, 'both facts');
    await eventually(
      () => routing.ledger.leasedNanoUsd('account') === 0n || undefined,
      'nothing on lease',
    );
    await first.stop();
  });

  test('an attempt that gave nothing leaves nothing', async () => {
    const reply = await routing.call({ model: 'sim/sim-error-500', input: 'x' });
    equal(reply.status, 502);
    const first = routing.service;
    await routing.crash();
    await routing.start();
    const { finals, interrupted } = await recover(routing.spool);
    deepEqual([finals, interrupted], [[], []]);
    await first.stop();
  });
});

test('a bus that comes back gets everything, in order and once', async () => {
  routing.bus.setConnected(false);
  for (let count = 0; count < 20; count += 1)
    await textOf(await routing.call({ model: 'sim/echo', input: `number ${count}` }));
  equal(routing.ledger.facts.length, 0);
  routing.bus.setConnected(true);
  await eventually(() => routing.ledger.facts.length === 20 || undefined, 'all facts');
  deepEqual(
    routing.ledger.facts.map(({ sequence }) => sequence),
    Array.from({ length: 20 }, (_, index) => BigInt(index + 1)),
  );
});

test('a service that stops lets a stream end, or bills what it served', async () => {
  const reply = await routing.call({
    model: 'sim/sim-slow-2',
    input: '[sim:words-100]',
    stream: true,
  });
  const reading = textOf(reply);
  await dead(routing);
  ok((await reading).includes('event: response.completed'));
  const { finals } = await recover(routing.spool);
  equal(finals[0]?.fact.outcome, 'completed');
});
