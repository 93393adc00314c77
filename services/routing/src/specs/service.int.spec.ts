import { isStream } from '@sluice/inference-port';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import type { Receipt } from '@sluice/simulator';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';
import { shortLimits } from '../testing/short-limits.ts';
import {
  errorOf,
  eventsOf,
  eventually,
  responseOf,
  routingHarness,
  somebody,
  textOf,
  type RoutingHarness,
} from '../testing/routing-harness.ts';

let routing: RoutingHarness;
/** It loses its patience soon: for what a test waits for, and for nothing else, since machines may be slow. */
let hasty: RoutingHarness;
/** It loses its patience soon with streams whose client left, and with nothing else. */
let draining: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
  hasty = await routingHarness({ limits: shortLimits });
  draining = await routingHarness({ limits: { drainMs: 20 } });
});
afterAll(async () => {
  await routing.stop();
  await hasty.stop();
  await draining.stop();
});

const priced = ({ input_tokens, output_tokens }: Receipt) =>
  BigInt(input_tokens) * 1_000n + BigInt(output_tokens) * 2_000n;

async function factOf(
  reply: { readonly headers: Readonly<Record<string, string>> },
  { ledger } = routing,
): Promise<UsageRecorded> {
  const id = reply.headers['x-generation-id'];
  ok(id);
  return eventually(() => ledger.facts.find((fact) => fact.generationId === id), 'the usage fact');
}

async function receiptOf(fact: UsageRecorded, from = routing): Promise<Receipt> {
  return eventually(
    async () => (await from.receipts()).find((receipt) => receipt.id === fact.upstreamId),
    'the receipt',
  );
}

const intentAndFinal = 2;

async function spoolRecords(): Promise<number> {
  let count = 0;
  for await (const { payload } of routing.spool.read(1n)) count += Math.sign(payload.length);
  return count;
}

describe('a response', () => {
  for (const model of ['sim/echo', 'sim/chat'])
    test(`comes whole, with usage and cost, and is in the books (${model})`, async () => {
      const reply = await routing.call({ model, input: 'hello there' });
      equal(reply.status, 200);
      const response = await responseOf(reply);
      equal(response.status, 'completed');
      equal(response.output_text, 'You said: hello there');
      const fact = await factOf(reply);
      equal(response.id.slice(5), fact.generationId.slice(4));
      deepEqual(
        [fact.outcome, fact.finishReason, fact.streamed, fact.estimated, fact.requestId],
        ['completed', 'stop', false, false, 'req-test'],
      );
      equal(fact.usageId, `${fact.generationId}/1/1`);
      equal(Number(fact.costNanoUsd) / 1e9, response.usage?.cost);
      equal(fact.costNanoUsd, priced(await receiptOf(fact)));
    });

  test('comes as events whose text is the same', async () => {
    const reply = await routing.call({ model: 'sim/chat', input: 'a b c', stream: true });
    equal(reply.headers['content-type'], 'text/event-stream; charset=utf-8');
    const text = await textOf(reply);
    ok(text.endsWith('data: [DONE]\n\n'));
    const events = text.split('\n').filter((line) => line.startsWith('event: '));
    deepEqual(events.slice(0, 2), ['event: response.created', 'event: response.in_progress']);
    equal(events.at(-1), 'event: response.completed');
    const fact = await factOf(reply);
    deepEqual([fact.outcome, fact.streamed], ['completed', true]);
    equal(fact.costNanoUsd, priced(await receiptOf(fact)));
  });

  test('that stops at the limit is incomplete and billed', async () => {
    const reply = await routing.call({
      model: 'sim/echo',
      input: 'a long story',
      max_output_tokens: 2,
    });
    const response = await responseOf(reply);
    deepEqual([response.status, response.usage?.output_tokens], ['incomplete', 2]);
    equal((await factOf(reply)).outcome, 'incomplete');
  });

  test('without usage is billed on our own count, and says so', async () => {
    for (const stream of [false, true]) {
      const reply = await routing.call({ model: 'sim/echo', input: '[sim:no-usage] x', stream });
      await textOf(reply);
      const fact = await factOf(reply);
      equal(fact.estimated, true);
      equal(fact.costNanoUsd, priced(await receiptOf(fact)));
    }
  });
});

describe('before the first output', () => {
  test('a failure of the provider is a status, and costs nothing', async () => {
    const statuses: number[] = [];
    const failed = new Set<string | undefined>();
    for (const [suffix, stream] of [
      ['error-429', true],
      ['error-500', false],
      ['error-503', true],
      ['error-529', false],
    ] as const) {
      const reply = await routing.call({ model: `sim/sim-${suffix}`, input: 'x', stream });
      statuses.push(reply.status);
      match(reply.headers['x-generation-id'] ?? '', /^gen-/);
      failed.add(reply.headers['x-generation-id']);
      await errorOf(reply);
    }
    deepEqual(statuses, [429, 502, 503, 529]);
    // The next one costs something: by then the others would have.
    await factOf(await routing.call({ model: 'sim/echo', input: 'y' }));
    deepEqual(
      routing.ledger.facts.filter(({ generationId }) => failed.has(generationId)),
      [],
    );
  });

  test('an answer that makes no sense costs nothing, and leaves a fact: it may be billed', async () => {
    for (const stream of [true, false]) {
      const reply = await routing.call({ model: 'sim/sim-malformed', input: 'abcdefgh', stream });
      equal(reply.status, 502);
      const fact = await factOf(reply);
      deepEqual(
        [fact.outcome, fact.costNanoUsd, fact.suspendedNanoUsd, fact.upstreamCostNanoUsd],
        ['failed', 0n, 0n, 2_000n],
      );
      equal(fact.operatorSuspendedNanoUsd, fact.holdNanoUsd - 2_000n);
    }
  });

  test('the wait that a provider asks for is passed on', async () => {
    const reply = await routing.call({ model: 'sim/sim-error-429', input: 'x' });
    equal(reply.headers['retry-after'], '1');
  });

  test('a provider that hangs is a time-out', async () => {
    const reply = await hasty.call({ model: 'sim/sim-hang', input: 'x' });
    equal(reply.status, 524);
    equal((await errorOf(reply)).metadata['error_type'], 'timeout');
  });

  test('the status is held back, but not for ever', async () => {
    const reply = await hasty.call({ model: 'sim/sim-hang', input: 'x', stream: true });
    equal(reply.status, 200);
    const text = await textOf(reply);
    ok(text.includes(': SERVICE PROCESSING'));
    ok(text.includes('event: response.failed'));
    ok(text.endsWith('data: [DONE]\n\n'));
  });

  test('another endpoint of the model is tried', async () => {
    const reply = await routing.call({ model: 'sim/fallback', input: 'hello' });
    equal((await responseOf(reply)).output_text, 'You said: hello');
    const fact = await factOf(reply);
    equal(fact.usageId, `${fact.generationId}/2/1`);
  });

  test('what is no request and what is no model is refused', async () => {
    equal((await routing.call({ model: 'sim/echo' })).status, 400);
    const reply = await routing.call({ model: 'nobody/nothing', input: 'x' });
    equal(reply.status, 400);
    match((await errorOf(reply)).message, /nobody\/nothing is not a valid model ID/);
  });
});

describe('after the first output', () => {
  for (const model of ['sim/sim-cut-2', 'sim/chat-sim-cut-2'])
    test(`a cut ends in response.failed, and what was served costs the operator (${model})`, async () => {
      const reply = await routing.call({ model, input: 'one two', stream: true });
      equal(reply.status, 200);
      const events = await eventsOf(reply);
      const last = events.at(-1);
      equal(last?.type, 'response.failed');
      equal(last.response?.error?.code, 'server_error');
      equal(last.response.output_text, 'You said:');
      const fact = await factOf(reply);
      deepEqual([fact.outcome, fact.estimated], ['failed', true]);
      const receipt = await receiptOf(fact);
      equal(receipt.outcome, 'cut');
      deepEqual([fact.costNanoUsd, fact.upstreamCostNanoUsd], [0n, priced(receipt)]);
      equal(last.response.usage?.cost, 0);
    });

  test('a failure that the provider declares is not billed', async () => {
    const reply = await routing.call({ model: 'sim/sim-fail-2', input: 'x', stream: true });
    equal((await eventsOf(reply)).at(-1)?.type, 'response.failed');
    const fact = await factOf(reply);
    deepEqual([fact.outcome, fact.costNanoUsd], ['failed', 0n]);
    ok(fact.outputTokens > 0n);
  });

  test('a stream that falls silent sends comments and ends in response.failed', async () => {
    const { idleTimeoutMs, keepAliveMs } = shortLimits;
    const awaiting = await routingHarness({ limits: { idleTimeoutMs, keepAliveMs } });
    onTestFinished(() => awaiting.stop());
    const reply = await awaiting.call({ model: 'sim/sim-stall-1', input: 'x y z', stream: true });
    const text = await textOf(reply);
    ok(text.includes(': SERVICE PROCESSING'));
    ok(text.includes('event: response.failed'));
    const fact = await factOf(reply, awaiting);
    const receipt = await receiptOf(fact, awaiting);
    deepEqual([fact.costNanoUsd, fact.upstreamCostNanoUsd], [0n, priced(receipt)]);
  });
});

describe('a client that leaves', () => {
  test('a stream is billed exactly, because it is read to its end', async () => {
    const leaving = new AbortController();
    const reply = await routing.call(
      { model: 'sim/sim-slow-5', input: 'one two three four', stream: true },
      { signal: leaving.signal },
    );
    ok(isStream(reply.body));
    for await (const chunk of reply.body) {
      ok(chunk.byteLength > 0);
      leaving.abort();
    }
    const fact = await factOf(reply);
    deepEqual([fact.outcome, fact.estimated], ['cancelled', false]);
    const receipt = await receiptOf(fact);
    equal(receipt.outcome, 'completed');
    equal(fact.costNanoUsd, priced(receipt));
  });

  test('a stream that takes too long to its end is cancelled and billed what was served', async () => {
    const reply = await draining.call({
      model: 'sim/sim-slow-50',
      input: '[sim:words-1000]',
      stream: true,
    });
    ok(isStream(reply.body));
    for await (const chunk of reply.body)
      if (Buffer.from(chunk).includes('response.output_text.delta')) break;
    const fact = await factOf(reply, draining);
    deepEqual([fact.outcome, fact.estimated], ['cancelled', true]);
    const receipt = await receiptOf(fact, draining);
    equal(receipt.outcome, 'disconnected');
    ok(fact.outputTokens > 0n && fact.outputTokens <= BigInt(receipt.output_tokens));
  });

  for (const stream of [true, false])
    test(`before anything was sent upstream pays nothing (stream: ${String(stream)})`, async () => {
      const receiptsBefore = (await routing.receipts()).length;
      const recordsBefore = await spoolRecords();
      const gone = { signal: AbortSignal.abort() };
      await routing.call({ model: 'sim/echo', input: 'x', stream }, gone);
      await routing.call({ model: 'sim/fallback', input: 'x', stream }, gone);
      // The next one is served: by then the others would have been.
      const { id } = await factOf(await routing.call({ model: 'sim/echo', input: 'y' })).then(
        receiptOf,
      );
      deepEqual(
        (await routing.receipts()).slice(receiptsBefore).map((receipt) => receipt.id),
        [id],
      );
      equal(await spoolRecords(), recordsBefore + intentAndFinal);
    });

  test('an answer that is not streamed is billed in full', async () => {
    const leaving = new AbortController();
    const recordsBefore = await spoolRecords();
    const calling = routing.call(
      { model: 'sim/sim-slow-5', input: 'one two three' },
      { signal: leaving.signal },
    );
    await eventually(async () => (await spoolRecords()) > recordsBefore || undefined, 'the intent');
    leaving.abort();
    const fact = await factOf(await calling);
    equal(fact.costNanoUsd, priced(await receiptOf(fact)));
  });
});

test('the list of models is served', async () => {
  const reply = await routing.service.inference.readCatalog({
    view: 'models',
    parameters: {},
    reportsMeasured: false,
  });
  equal(reply.status, 200);
  match(await textOf(reply), /"id":"sim\/echo"/);
});

test('whatever happened above, bills and receipts agree, and nothing is held any more', async () => {
  for (const each of [routing, hasty, draining]) {
    const { ledger } = each;
    const receipts = await each.receipts();
    const billable = new Set(
      receipts.filter(({ outcome }) => outcome !== 'failed').map(({ id }) => id),
    );
    const charged = ledger.facts.filter(({ costNanoUsd }) => costNanoUsd > 0n);
    for (const fact of charged) ok(billable.has(fact.upstreamId), fact.upstreamId);
    const used = ledger.facts.reduce((sum, fact) => sum + fact.costNanoUsd, 0n);
    ledger.setCredits(used);
    await eventually(() => ledger.leasedNanoUsd('account') === 0n || undefined, 'no lease');
    const poor = await each.call(
      { model: 'sim/echo', input: 'x' },
      { principal: { ...somebody, keyHash: 'fresh' } },
    );
    equal(poor.status, 402);
  }
});
