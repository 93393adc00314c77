import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { directSubject, startPeer } from '../subjects/peers.ts';
import { embeddingsDoor } from '../subjects/door.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import { doorOf } from '../subjects/sluice/subject.ts';
import type { Subject } from '../subjects/subject.ts';
import type { ClosedLoop } from './load/closed-loop.ts';
import { type Load, startLoad } from './load/load.ts';
import type { LoadResult } from './load/tally.ts';
import { cpuMsOf } from './machine/process-figures.ts';
import { startUpstream, type Upstream } from './upstream/upstream.ts';
import { plainBehaviour } from './upstream/upstream-server.ts';

const { deltas } = plainBehaviour;
let upstream: Upstream;
let load: Load;
let bare: Subject;
beforeAll(async () => {
  [upstream, load] = await Promise.all([startUpstream(), startLoad()]);
  bare = await startPeer('bare', upstream);
});
beforeEach(() => upstream.behave(plainBehaviour));
afterAll(async () => {
  await Promise.all([bare?.stop(), load?.stop()]);
  await upstream?.stop();
});

async function loopOf(isStreaming: boolean, subject = bare): Promise<ClosedLoop> {
  const shape = { bodyBytes: 200, isStreaming };
  const expectation = await probe(subject, shape, deltas);
  const { port } = subject;
  return {
    port,
    request: requestOf(subject, shape),
    expectation,
    connections: 4,
    sendingMs: 200,
  };
}

/** Returns the result, and the number of requests that reached the upstream meanwhile. */
async function asked(act: () => Promise<LoadResult>): Promise<[LoadResult, number]> {
  const before = await upstream.requests();
  const result = await act();
  return [result, (await upstream.requests()) - before];
}

async function untilReached(requests: number): Promise<void> {
  const deadlineMs = performance.now() + 5_000;
  while ((await upstream.requests()) < requests)
    if (performance.now() > deadlineMs) throw new Error('The requests do not reach the upstream');
}

describe('a closed loop through a subject', () => {
  for (const isStreaming of [false, true])
    test(`counts each request once, as the upstream does, ${isStreaming ? 'streamed' : 'whole'}`, async () => {
      const loop = await loopOf(isStreaming);
      const { measured } = await bare.pids();
      const [result, reached] = await asked(() => load.closedLoop(loop));
      ok(result.answered > 0);
      deepEqual([result.answered, result.faults], [reached, {}]);
      ok(result.answeredInTime <= result.answered);
      equal(result.latencies.count, result.answered);
      equal(result.firstDeltas.count > 0, isStreaming);
      ok((await cpuMsOf(measured)) > 0);
    });

  test('takes the vector of a text for an answer', async () => {
    const vectors = doorOf(directSubject(upstream), 'sluice-embeddings', embeddingsDoor);
    const loop = await loopOf(false, vectors);
    const [result, reached] = await asked(() => load.closedLoop(loop));
    ok(result.answered > 0);
    deepEqual([result.answered, result.faults], [reached, {}]);
  });

  test('does not take an error for an answer', async () => {
    const loop = await loopOf(false);
    await upstream.behave({ ...plainBehaviour, failureStatus: 503 });
    const [result, reached] = await asked(() => load.closedLoop(loop));
    deepEqual([result.answered, result.faults], [0, { 'status 503: As asked': reached }]);
    equal(result.latencies.count, 0);
    ok(reached > 0);
  });

  test('does not take half an answer, or a stream that lacks a word, for one', async () => {
    for (const isStreaming of [false, true]) {
      const loop = await loopOf(isStreaming);
      await upstream.behave({ ...plainBehaviour, deltas: deltas - 20 });
      const { answered, faults } = await load.closedLoop(loop);
      equal(answered, 0);
      deepEqual(Object.keys(faults), ['too short']);
      await upstream.behave(plainBehaviour);
    }
  });
});

describe('an open loop through a subject', () => {
  test('sends what is due, no more and no less', async () => {
    const loop = { ...(await loopOf(false)), requestsPerSecond: 100, sendingMs: 300 };
    const [result, reached] = await asked(() => load.openLoop(loop));
    deepEqual([result.answered, result.faults, reached], [30, {}, 30]);
  });

  test('counts from when a request was due, also while it waits for a connection', async () => {
    const loop = { ...(await loopOf(false)), connections: 1, sendingMs: 150 };
    await upstream.behave({ ...plainBehaviour, delayMs: 50 });
    const result = await load.openLoop({ ...loop, requestsPerSecond: 100 });
    deepEqual([result.answered, result.faults], [15, {}]);
    const { leastMs, mostMs } = result.latencies;
    // Each takes 50 ms and the next is due after 10: the last one waits for 14 others.
    ok(leastMs >= 45);
    ok(mostMs >= 14 * 40, `${mostMs} ms`);
  });

  test('is over when more answers are slow than its limits allow', async () => {
    const limits = { faultsMax: 0, slowFromMs: 45, slowMax: 2 };
    const loop = { ...(await loopOf(false)), connections: 1, sendingMs: 60_000, limits };
    await upstream.behave({ ...plainBehaviour, delayMs: 50 });
    const result = await load.openLoop({ ...loop, requestsPerSecond: 100 });
    ok(result.answered >= 3 && result.answered <= 5, `${result.answered} answers`);
    ok(result.sendingMs < 60_000, `${result.sendingMs} ms`);
    deepEqual(result.faults, {});
  });
});

describe('what is not as it has to be', () => {
  test('is refused before anything is measured', async () => {
    await upstream.behave({ ...plainBehaviour, failureStatus: 500 });
    let refusal = '';
    await loopOf(false).catch((error: unknown) => (refusal = String(error)));
    ok(refusal.includes('bare: status 500'), refusal);
  });

  test('of a server that is gone is a fault of each request', async () => {
    const other = await startPeer('bare', upstream);
    const loop = await loopOf(false, other);
    await upstream.behave({ ...plainBehaviour, delayMs: 5_000 });
    const before = await upstream.requests();
    const running = load.closedLoop({ ...loop, sendingMs: 300 });
    await untilReached(before + loop.connections);
    await other.stop();
    const { answered, faults } = await running;
    equal(answered, 0);
    const broken = Object.entries(faults).filter(([kind]) => kind.startsWith('connection'));
    ok(
      broken.reduce((sum, [, count]) => sum + count, 0) >= loop.connections,
      JSON.stringify(faults),
    );
  });
});
