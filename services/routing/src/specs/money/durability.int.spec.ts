import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import { Fault } from '@sluice/errors';
import { isStream } from '@sluice/inference-port';
import { describe, onTestFinished, test } from 'vitest';
import type { Durability } from '../../turn/deps.ts';
import { recover } from '../../usage/journal/recover.ts';
import { type FaultyUpstream, faultyUpstream } from '../../testing/faulty-upstream.ts';
import { errorOf, eventually, routingHarness, textOf } from '../../testing/routing-harness.ts';

const durabilities: readonly Durability[] = ['strict', 'overlap'];

/** More ticks than a request takes that waits for nothing. */
const ticks = 500;

type Stage = 'written' | 'synced';

interface Slow {
  readonly type: 'intent' | 'final';
  /** The part of it that takes long. */
  readonly stage: Stage;
  readonly fault?: FaultyUpstream['fault'];
}

/** A disk that is done with the write or the sync of this type when the test says so, or fails then. */
async function slowDisk(
  durability: Durability,
  { type: slow, stage: slowStage, fault = 'none' }: Slow,
) {
  const waiting: string[] = [];
  const done = Promise.withResolvers<void>();
  done.promise.catch(() => {});
  const upstream = await faultyUpstream();
  upstream.fault = fault;
  onTestFinished(() => upstream.stop());
  const stage = (name: Stage) => async (type: string) => {
    if (name !== slowStage || type !== slow) return;
    waiting.push(type);
    await done.promise;
  };
  const routing = await routingHarness({
    durability,
    catalogFile: () => catalogFile(upstream.url),
    beforeWrite: stage('written'),
    afterWrite: stage('synced'),
  });
  onTestFinished(() => routing.stop());
  onTestFinished(() => done.resolve());
  const call = (body: object = {}) =>
    routing.call({ model: 'one/model', input: 'hello', stream: true, ...body });
  return {
    routing,
    upstream,
    waiting,
    call,
    release: () => done.resolve(),
    fail: () => done.reject(new Fault('spool_unavailable')),
  };
}

/** Reads an answer in the background: the text that has come, and whether it has ended. */
function reading(body: AsyncIterable<Uint8Array>) {
  const seen = { text: '', hasEnded: false };
  const read = async () => {
    for await (const bytes of body) seen.text += Buffer.from(bytes).toString();
    seen.hasEnded = true;
  };
  return { seen, whole: read() };
}

/** Notes that there is an answer. */
function watched<Reply>(answer: Promise<Reply>) {
  const seen = { isThere: false };
  const there = () => void (seen.isThere = true);
  answer.then(there, there);
  return seen;
}

const patience = async () => {
  for (let count = 0; count < ticks; count += 1) await tick();
};

describe('on a disk that is slow', () => {
  test('strict calls the upstream when the intent is on disk', async () => {
    const { upstream, waiting, call, release } = await slowDisk('strict', {
      type: 'intent',
      stage: 'synced',
    });
    const answer = call();
    await eventually(() => waiting.length === 1, 'the intent');
    await patience();
    deepEqual(upstream.arrivals, []);
    release();
    const { body } = await answer;
    ok(isStream(body));
    const { seen, whole } = reading(body);
    await whole;
    ok(seen.text.includes('event: response.completed'));
    equal(upstream.arrivals.length, 1);
  });

  test.each(durabilities)(
    '%s calls the upstream when the intent is in the spool',
    async (durability) => {
      const disk = await slowDisk(durability, { type: 'intent', stage: 'written' });
      const answer = disk.call();
      await eventually(() => disk.waiting.length === 1, 'the intent');
      await patience();
      deepEqual(disk.upstream.arrivals, []);
      disk.release();
      match(await textOf(await answer), /event: response\.completed/);
    },
  );

  test.each([true, false])(
    'overlap calls the upstream during the sync, and tells nothing before it is over, streamed: %s',
    async (stream) => {
      const disk = await slowDisk('overlap', { type: 'intent', stage: 'synced' });
      const { routing, release, upstream } = disk;
      const model = stream ? 'one/model' : 'sim/echo';
      const answer = disk.call({ model, stream });
      const called = async () =>
        upstream.arrivals.length === 1 || (await routing.receipts()).length === 1;
      await eventually(called, 'the call of the upstream');
      const seen = watched(answer);
      await patience();
      ok(!seen.isThere);
      release();
      match(await textOf(await answer), /hello/i);
    },
  );

  test('overlap writes the usage of a whole answer before it waits for the intent', async () => {
    const written: string[] = [];
    const done = Promise.withResolvers<void>();
    const routing = await routingHarness({
      durability: 'overlap',
      afterWrite: async (type) => {
        written.push(type);
        await done.promise;
      },
    });
    onTestFinished(() => routing.stop());
    onTestFinished(() => done.resolve());
    const answer = routing.call({ model: 'sim/echo', input: 'hello' });
    await eventually(() => written.includes('final'), 'the usage');
    const seen = watched(answer);
    await patience();
    deepEqual([written, seen.isThere], [['intent', 'final'], false]);
    done.resolve();
    match(await textOf(await answer), /hello/i);
  });

  test('overlap tells of no failure of an upstream before the intent is on disk', async () => {
    const disk = await slowDisk('overlap', { type: 'intent', stage: 'synced', fault: 'error' });
    const answer = disk.call();
    await eventually(() => disk.upstream.arrivals.length === 1, 'the call of the upstream');
    const seen = watched(answer);
    await patience();
    ok(!seen.isThere);
    disk.release();
    equal((await answer).status, 502);
  });

  test.each(['none', 'silence'] as const)(
    'overlap ends the call of an upstream and the request if the sync fails, upstream: %s',
    async (fault) => {
      const disk = await slowDisk('overlap', { type: 'intent', stage: 'synced', fault });
      const { upstream, routing } = disk;
      const answer = disk.call();
      await eventually(() => upstream.arrivals.length === 1, 'the call of the upstream');
      await patience();
      disk.fail();
      const { code } = await errorOf(await answer);
      equal(code, 503);
      if (fault === 'silence') await eventually(() => upstream.leftCount === 1, 'the end of it');
      match(await routing.metrics(), /^spend_open\S* 0$/m);
      equal(upstream.arrivals.length, 1);
    },
  );

  test('a call that a killed process made during the sync is known to the next one', async () => {
    const disk = await slowDisk('overlap', { type: 'intent', stage: 'synced', fault: 'silence' });
    const { upstream, routing } = disk;
    const answer = disk.call();
    answer.catch(() => {});
    await eventually(() => upstream.arrivals.length === 1, 'the call of the upstream');
    const left = await eventually(
      async () => (await recover(routing.spool)).interrupted[0],
      'the intent in the spool',
    );
    await routing.crash();
    const killed = routing.service;
    await routing.start();
    await eventually(
      () => routing.ledger.facts.some(({ usageId }) => usageId === left.intent.usageId),
      'the fact of the call',
    );
    disk.fail();
    await answer;
    await killed.stop();
  });

  test.each(durabilities)(
    '%s ends when the usage is on disk, and the words do not wait for that',
    async (durability) => {
      const disk = await slowDisk(durability, { type: 'final', stage: 'synced' });
      const { body } = await disk.call();
      ok(isStream(body));
      const { seen, whole } = reading(body);
      await eventually(() => seen.text.includes('"delta":"Hello"'), 'the first word');
      await eventually(() => disk.waiting.length === 1, 'the usage');
      await patience();
      ok(!seen.hasEnded && !seen.text.includes('event: response.completed'));
      disk.release();
      await whole;
      ok(seen.text.includes('event: response.completed'));
    },
  );
});

test.each(durabilities)(
  'a loop of tools waits for its usage at its end, and not between its turns: %s',
  async (durability) => {
    const done = Promise.withResolvers<void>();
    const written: string[] = [];
    const routing = await routingHarness({
      durability,
      afterWrite: async (type) => {
        written.push(type);
        // The facts of both turns, and of the call between them.
        if (type === 'final') await done.promise;
      },
    });
    onTestFinished(() => routing.stop());
    onTestFinished(() => done.resolve());
    const input = 'agent: call service_datetime then say finished';
    const tools = [{ type: 'service:datetime' }];
    const { body } = await routing.call({ model: 'sim/echo', input, tools, stream: true });
    ok(isStream(body));
    const { seen, whole } = reading(body);
    await eventually(() => seen.text.includes('"delta":"finished"'), 'the second turn');
    await eventually(() => written.filter((type) => type === 'final').length === 3, 'the usage');
    await patience();
    ok(!seen.hasEnded && !seen.text.includes('event: response.completed'));
    done.resolve();
    await whole;
    ok(seen.text.includes('event: response.completed'));
  },
);

const catalogFile = (url: string) =>
  JSON.stringify({
    providers: [{ slug: 'one', name: 'One', dialect: 'openai-chat', base_url: url }],
    models: [
      {
        id: 'one/model',
        provider: 'one',
        upstream_model: 'm',
        context_length: 10_000,
        max_output_tokens: 1_000,
        pricing: { prompt: '0.000001', completion: '0.000001' },
      },
    ],
  });
