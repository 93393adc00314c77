import { deepEqual, equal } from 'node:assert/strict';
import { failureStream, type InMemoryBus, subjectFilters } from '@sluice/bus';
import { until } from '@sluice/patience';
import { GenerationFailed } from '@sluice/protos/sluice/generation/v1/generation_events';
import { RequestRefused } from '@sluice/protos/sluice/request/v1/request_events';
import { afterEach, describe, onTestFinished, test } from 'vitest';
import { routingHarness, textOf, type RoutingHarness } from '../testing/routing-harness.ts';

let routing: RoutingHarness;
afterEach(() => routing.stop());

async function consumed<Fact>(
  bus: InMemoryBus,
  filter: string,
  parse: (data: unknown) => Fact,
): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  await bus.ensureStream(failureStream);
  void bus.consume({
    stream: failureStream.name,
    durable: filter.replaceAll(/\W/g, ''),
    filter,
    batchMax: 10,
    signal: abort.signal,
    async handle(batch) {
      facts.push(...batch.map(({ data }) => parse(data)));
    },
  });
  return facts;
}

describe('a request that has no usage fact', () => {
  test.each([
    ['invalid_request', { model: 'sim/echo', input: 'hello', temperature: 'hot' }, 400],
    ['model_not_found', { model: 'no/such-model', input: 'hello' }, 400],
    ['credits_exhausted', { model: 'sim/echo', input: 'hello' }, 402],
  ])('is published on the bus as refused: %s', async (reason, body, status) => {
    routing = await routingHarness({ creditsNanoUsd: 0n });
    const facts = await consumed(routing.bus, subjectFilters.requestRefused, (data) =>
      RequestRefused.fromJSON(data),
    );
    for (let number = 0; number < 3; number++) equal((await routing.call(body)).status, status);
    await until(() => facts.reduce((sum, { count }) => sum + Number(count), 0) === 3);
    for (const fact of facts)
      deepEqual([fact.accountId, fact.reason, fact.httpStatus], ['account', reason, status]);
  });

  test.each([false, true])(
    'is published as failed if the providers failed, streamed: %s',
    async (stream) => {
      routing = await routingHarness();
      const facts = await consumed(routing.bus, subjectFilters.generationFailed, (data) =>
        GenerationFailed.fromJSON(data),
      );
      const input = '[sim:error-500]';
      const reply = await routing.call({ model: 'sim/trio', input, stream, user: 'customer-7' });
      await textOf(reply);
      await until(() => facts.length === 1);
      const [fact] = facts;
      deepEqual(
        [fact?.generationId, fact?.model, fact?.outcome, fact?.errorCode, fact?.attempts],
        [reply.headers['x-generation-id'], 'sim/trio', 'failed', 'provider_unavailable', 3],
      );
      deepEqual([fact?.turn, fact?.failureId], [1, `${fact?.generationId}/1`]);
      deepEqual([fact?.streamed, fact?.externalUser, fact?.omitted], [stream, 'customer-7', 0n]);
      deepEqual(routing.ledger.facts, []);
    },
  );

  test('is none of them where it was served', async () => {
    routing = await routingHarness();
    const facts = await consumed(routing.bus, '>', (data) => data);
    equal((await routing.call({ model: 'sim/echo', input: 'hello' })).status, 200);
    equal((await routing.call({ model: 'no/such-model', input: 'hello' })).status, 400);
    await until(() => facts.length > 0);
    equal(facts.length, 1);
  });
});
