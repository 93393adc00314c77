import { deepEqual, equal, ok } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type InferenceReply, isStream } from '@sluice/inference-port';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Door, doors, responses } from '../../testing/doors.ts';
import { eventually, type RoutingHarness, routingHarness } from '../../testing/routing-harness.ts';

const model = (name: string, provider: string) =>
  `  - { id: c/${name}, provider: ${provider}, upstream_model: echo, context_length: 128000, max_output_tokens: 4096, pricing: { prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000001' } }`;

const catalogFile = (url: string) => `
providers:
  - { slug: stops, name: Stops, dialect: openai-chat, base_url: '${url}', cancels_streams: true }
  - { slug: counts, name: Counts first, dialect: anthropic-messages, base_url: '${url}', cancels_streams: true }
  - { slug: goes-on, name: Goes on, dialect: openai-chat, base_url: '${url}' }
  - { slug: silent, name: Silent, dialect: openai-chat, base_url: '${silent.url}', cancels_streams: true }
models:
${[model('stops', 'stops'), model('counts', 'counts'), model('goes-on', 'goes-on'), model('silent', 'silent')].join('\n')}
`;

let routing: RoutingHarness;
let silent: Awaited<ReturnType<typeof silentProvider>>;
beforeAll(async () => {
  silent = await silentProvider();
  routing = await routingHarness({ catalogFile });
});
afterAll(async () => {
  await routing.stop();
  await silent.stop();
});

const factOf = async ({ headers }: InferenceReply) =>
  await eventually(
    () =>
      routing.ledger.facts.find(({ generationId }) => generationId === headers['x-generation-id']),
    'the usage fact',
  );
const receiptOf = async (upstreamId: string) =>
  await eventually(
    async () => (await routing.receipts()).find(({ id }) => id === upstreamId),
    'the receipt',
  );

/** Some text of the model, in any format. */
const someText = /output_text\.delta|"content":"[^"]|text_delta/;

/** Takes the beginning of a stream of some seconds, and leaves. One fact reports its outcome. */
async function taken(name: string, prompt: string, { dialect, asks }: Door = responses) {
  const leaving = new AbortController();
  const body = { model: `c/${name}`, ...asks(prompt), stream: true };
  const reply = await routing.call(body, { dialect, signal: leaving.signal });
  ok(isStream(reply.body));
  let text = '';
  for await (const chunk of reply.body) {
    text += Buffer.from(chunk).toString();
    if (someText.test(text)) leaving.abort();
  }
  const fact = await factOf(reply);
  const receipt = await receiptOf(fact.upstreamId);
  const { generationId } = fact;
  const facts = routing.ledger.facts.filter((each) => each.generationId === generationId);
  equal(facts.length, 1);
  return { fact, receipt };
}

describe('a stream whose client leaves', () => {
  const long = '[sim:words-300] [sim:slow-10]';

  test.each(doors)(
    'of $dialect is closed at once where the provider stops at that, and what was served is charged',
    async (door) => {
      const { fact, receipt } = await taken('stops', long, door);
      deepEqual([fact.outcome, receipt.outcome], ['cancelled', 'disconnected']);
      ok(fact.outputTokens > 0n && fact.outputTokens <= BigInt(receipt.output_tokens));
      ok(receipt.output_tokens < 300, 'the provider served on');
      ok(fact.estimated && fact.suspendedNanoUsd === 0n);
      equal(fact.costNanoUsd, fact.inputTokens * 1_000n + fact.outputTokens * 2_000n);
    },
  );

  test('is charged the input as the provider counted it, where it says so first', async () => {
    const { fact, receipt } = await taken('counts', `${long} [sim:cached-5]`);
    equal(receipt.outcome, 'disconnected');
    deepEqual(
      [Number(fact.inputTokens), Number(fact.cachedTokens)],
      [receipt.input_tokens, receipt.cached_tokens],
    );
    equal(fact.cachedTokens, 5n);
    ok(fact.outputTokens <= BigInt(receipt.output_tokens));
  });

  test.each(doors)(
    'of $dialect is read to its end where the provider goes on, and charged as it says',
    async (door) => {
      const { fact, receipt } = await taken('goes-on', '[sim:words-30] [sim:slow-10]', door);
      deepEqual([fact.outcome, fact.estimated, receipt.outcome], ['cancelled', false, 'completed']);
      const { input_tokens: input, output_tokens: output } = receipt;
      equal(fact.costNanoUsd, BigInt(input) * 1_000n + BigInt(output) * 2_000n);
    },
  );

  test('before any output costs the client nothing, and its upstream is let go', async () => {
    const leaving = new AbortController();
    const calling = routing.call(
      { model: 'c/stops', input: '[sim:hang]', stream: true },
      { signal: leaving.signal },
    );
    const { isOpen } = await openSoon();
    ok(isOpen);
    leaving.abort();
    const reply = await calling;
    equal(reply.status, 503);
    const failed = await eventually(
      () =>
        routing.ledger.failures.find(
          ({ generation }) => generation?.generationId === reply.headers['x-generation-id'],
        ),
      'a record of it',
    );
    equal(failed.generation?.outcome, 'cancelled');
    // The provider may have answered all the same.
    const fact = await factOf(reply);
    deepEqual(
      [fact.outcome, fact.costNanoUsd, fact.suspendedNanoUsd, fact.operatorSuspendedNanoUsd],
      ['cancelled', 0n, 0n, fact.holdNanoUsd],
    );
  });
});

describe('a whole answer whose client leaves', () => {
  /** Leaves once the provider has the request. */
  async function left(name: string, prompt: string, { dialect, asks }: Door) {
    const leaving = new AbortController();
    const body = { model: `c/${name}`, ...asks(prompt) };
    const calling = routing.call(body, { dialect, signal: leaving.signal });
    await (name === 'silent' ? silent.asked() : openSoon());
    leaving.abort();
    const fact = await factOf(await calling);
    const { generationId } = fact;
    equal(routing.ledger.facts.filter((each) => each.generationId === generationId).length, 1);
    return fact;
  }

  test.each(doors)(
    'of $dialect is canceled where the provider stops at that, and costs the customer nothing',
    async (door) => {
      const fact = await left('silent', 'hi', door);
      await silent.left();
      equal(fact.outcome, 'cancelled');
      const { costNanoUsd, suspendedNanoUsd, operatorSuspendedNanoUsd, holdNanoUsd } = fact;
      deepEqual([costNanoUsd, suspendedNanoUsd], [0n, 0n]);
      equal(operatorSuspendedNanoUsd, holdNanoUsd);
    },
  );

  test.each(doors)(
    'of $dialect is read to its end where the provider goes on, and charged as it says',
    async (door) => {
      const fact = await left('goes-on', '[sim:words-30] [sim:slow-10]', door);
      const receipt = await receiptOf(fact.upstreamId);
      deepEqual([fact.outcome, fact.estimated, receipt.outcome], ['cancelled', false, 'completed']);
      const { input_tokens: input, output_tokens: output } = receipt;
      equal(fact.costNanoUsd, BigInt(input) * 1_000n + BigInt(output) * 2_000n);
    },
  );
});

/** A provider that takes requests and never answers. */
async function silentProvider() {
  let asked = Promise.withResolvers<undefined>();
  let gone = Promise.withResolvers<undefined>();
  const server = createServer((request, response) => {
    response.once('close', () => gone.resolve(undefined));
    request.resume().once('end', () => asked.resolve(undefined));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    async asked() {
      await asked.promise;
      asked = Promise.withResolvers();
    },
    /** Resolves when the caller has closed its connection. */
    async left() {
      await gone.promise;
      gone = Promise.withResolvers();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Waits until an attempt is under way. */
async function openSoon() {
  return await eventually(async () => {
    const open = /^usage_open\S* (\d+)/m.exec(await routing.metrics())?.[1];
    return open === '1' ? { isOpen: true } : undefined;
  }, 'an open attempt');
}
