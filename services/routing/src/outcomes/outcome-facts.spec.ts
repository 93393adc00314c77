import { deepEqual, equal, rejects } from 'node:assert/strict';
import { failureStream, type InMemoryBus, inMemoryBus } from '@sluice/bus';
import type { InferenceCall } from '@sluice/inference-port';
import { until } from '@sluice/patience';
import type { GenerationFailed } from '@sluice/protos/sluice/generation/v1/generation_events';
import type { RequestRefused } from '@sluice/protos/sluice/request/v1/request_events';
import { describe, onTestFinished, test } from 'vitest';
import { OutcomeFacts } from './outcome-facts.ts';

let nextId = 0;
let nowMs = Date.parse('2026-11-22T12:00:00.000Z');

function outcomes() {
  let dropped = 0;
  const facts = new OutcomeFacts({
    clock: { now: () => new Date(nowMs) },
    ids: { next: () => `id-${++nextId}` },
    onDropped: () => void (dropped += 1),
  });
  return { facts, dropped: () => dropped };
}

const call = (changes: { keyHash?: string; accountId?: string; requestId?: string } = {}) => {
  const { keyHash = 'k1', accountId = 'a1', requestId = 'r1' } = changes;
  return { principal: { accountId, workspaceId: 'w1', keyHash }, requestId } as InferenceCall;
};
const failure = (generationId: string, turn = 1): Omit<GenerationFailed, 'omitted'> => ({
  failureId: `${generationId}/${turn}`,
  generationId,
  turn,
  requestId: 'r',
  accountId: 'a1',
  workspaceId: 'w1',
  keyHash: 'k1',
  model: 'sim/echo',
  outcome: 'failed',
  errorCode: 'provider_unavailable',
  attempts: 1,
  streamed: false,
  externalUser: '',
  sessionId: '',
  tried: [],
  trace: '',
  traceparent: '',
  userId: '',
  httpReferer: '',
  userAgent: '',
  appTitle: '',
  apiType: '',
  guardrailInvoked: false,
  hasEnd: false,
  moderationLatencyMs: undefined,
  admittedAt: '',
  completedAt: '',
});

/** Returns the messages of a consumer of the bus. */
function consumed(bus: InMemoryBus, filter: string) {
  const seen: unknown[] = [];
  const abort = new AbortController();
  void bus.consume({
    stream: failureStream.name,
    durable: 'spec',
    filter,
    batchMax: 1_000,
    signal: abort.signal,
    async handle(batch) {
      seen.push(...batch.map(({ data }) => data));
    },
  });
  onTestFinished(() => abort.abort());
  return seen;
}

describe('requests that were refused', () => {
  test('for one reason with one key are one fact with their number', async () => {
    const bus = inMemoryBus();
    const { facts } = outcomes();
    facts.refused(call({ requestId: 'first' }), 'credits_exhausted');
    nowMs += 700;
    facts.refused(call({ requestId: 'second' }), 'credits_exhausted');
    facts.refused(call(), 'invalid_request');
    facts.refused(call({ keyHash: 'k2' }), 'credits_exhausted');
    facts.refused(call({ accountId: 'a2' }), 'credits_exhausted');
    await facts.send(bus);
    const seen = consumed(bus, 'request.v1.refused.*') as Partial<RequestRefused>[];
    await until(() => seen.length === 4);
    deepEqual(
      seen.map((one) => [one.accountId, one.keyHash, one.reason, one.httpStatus, one.count]),
      [
        ['a1', 'k1', 'credits_exhausted', 402, '2'],
        ['a1', 'k1', 'invalid_request', 400, '1'],
        ['a1', 'k2', 'credits_exhausted', 402, '1'],
        ['a2', 'k1', 'credits_exhausted', 402, '1'],
      ],
    );
    equal(seen[0]?.requestId, 'first');
    equal(Date.parse(seen[0]?.lastAt ?? '') - Date.parse(seen[0]?.firstAt ?? ''), 700);
  });

  test('in a flood are all counted, with few facts', async () => {
    const bus = inMemoryBus();
    const { facts, dropped } = outcomes();
    for (let index = 0; index < 100_000; index++)
      facts.refused(call({ keyHash: `k${index % 200}` }), 'rate_limited');
    await facts.send(bus);
    const seen = consumed(bus, 'request.v1.refused.*') as Partial<RequestRefused>[];
    await until(() => seen.length === 50);
    for (let turn = 0; turn < 3; turn++) await facts.send(bus);
    await until(() => seen.length === 200);
    equal(
      seen.reduce((sum, { count }) => sum + Number(count), 0),
      100_000,
    );
    equal(dropped(), 0);
  });

  test('of more keys than are counted at one time are dropped, and that is counted', () => {
    const { facts, dropped } = outcomes();
    for (let index = 0; index < 1_500; index++)
      facts.refused(call({ keyHash: `k${index}` }), 'rate_limited');
    equal(dropped(), 500);
  });
});

describe('generations that failed', () => {
  test('are a fact each at the rate of 1,000 a second, and none is dropped', async () => {
    const bus = inMemoryBus();
    const { facts, dropped } = outcomes();
    const seen = consumed(bus, 'generation.v1.failed.*') as Partial<GenerationFailed>[];
    for (let second = 0; second < 3; second++) {
      for (let index = 0; index < 1_000; index++)
        facts.failed(call(), () => failure(`g${second * 1_000 + index}`));
      await facts.send(bus);
    }
    await until(() => seen.length === 3_000);
    equal(new Set(seen.map(({ generationId }) => generationId)).size, 3_000);
    equal(dropped(), 0);
  });

  test('beyond a bound are one more for each key, with the number of the others of it', async () => {
    const bus = inMemoryBus();
    const { facts, dropped } = outcomes();
    for (let index = 0; index < 2_600; index++) {
      const keyHash = index % 4 === 0 ? 'k2' : 'k1';
      facts.failed(call({ keyHash }), () => ({ ...failure(`g${index}`), keyHash }));
    }
    await facts.send(bus);
    facts.failed(call(), () => failure('later'));
    await facts.send(bus);
    const seen = consumed(bus, 'generation.v1.failed.*') as Partial<GenerationFailed>[];
    await until(() => seen.length === 2_003);
    const flooded = new Set(['g2000', 'g2001', 'later']);
    deepEqual(
      seen
        .filter(({ generationId = '' }) => flooded.has(generationId))
        .map(({ generationId, keyHash, omitted }) => [generationId, keyHash, omitted ?? '0']),
      [
        ['g2000', 'k2', '149'],
        ['g2001', 'k1', '449'],
        ['later', 'k1', '0'],
      ],
    );
    equal(dropped(), 598);
  });

  test('of more keys than are counted at one time are dropped, and that is counted', async () => {
    const bus = inMemoryBus();
    const { facts, dropped } = outcomes();
    for (let index = 0; index < 3_500; index++)
      facts.failed(call({ keyHash: `k${index}` }), () => failure(`g${index}`));
    equal(dropped(), 500);
    const seen = consumed(bus, 'generation.v1.failed.*');
    for (let turn = 0; turn < 2; turn++) await facts.send(bus);
    await until(() => seen.length === 3_000);
  });

  test('in two turns of one response are a fact each', async () => {
    const bus = inMemoryBus();
    const { facts } = outcomes();
    facts.failed(call(), () => failure('g1'));
    facts.failed(call(), () => failure('g1', 2));
    await facts.send(bus);
    const seen = consumed(bus, 'generation.v1.failed.*') as Partial<GenerationFailed>[];
    await until(() => seen.length === 2);
    deepEqual(
      seen.map(({ failureId, turn }) => [failureId, turn]),
      [
        ['g1/1', 1],
        ['g1/2', 2],
      ],
    );
  });

  test('go again under the same id while the bus is away, and are stored once', async () => {
    const bus = inMemoryBus();
    const { facts } = outcomes();
    await bus.ensureStream(failureStream);
    facts.failed(call(), () => failure('g1'));
    facts.refused(call(), 'invalid_request');
    bus.setConnected(false);
    await rejects(facts.send(bus), { code: 'bus_unavailable' });
    await rejects(facts.send(bus), { code: 'bus_unavailable' });
    facts.refused(call(), 'invalid_request');
    bus.setConnected(true);
    await facts.send(bus);
    await facts.send(bus);
    const seen = consumed(bus, '>') as Partial<RequestRefused>[];
    await until(() => seen.length === 3);
    deepEqual(
      seen.map(({ count }) => count),
      [undefined, '1', '1'],
    );
  });
});
