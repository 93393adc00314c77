import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { describe, onTestFinished, test } from 'vitest';
import { comparePositions } from '@sluice/es';
import { connectEventStore } from './index.ts';
import { anEvent } from './testing/an-event.ts';
import { observe } from './testing/observed.ts';
import { restartableNode } from './testing/restartable-node.ts';

async function connected() {
  const node = await restartableNode();
  const warnings: string[] = [];
  const logger = { warn: (message: string) => warnings.push(message) };
  const store = await connectEventStore({ url: node.url, logger });
  onTestFinished(() => store.stop());
  return { node, store, warnings };
}

/** With a signal a call waits for 20 s, and without one for 5 s, which a busy machine may need for more. */
const { signal: patient } = new AbortController();

const numbers = (count: number) => [...Array(count).keys()].map((n) => ({ n }));

describe('over a restart of the node', () => {
  test('events that were appended are still there, and appending goes on', async () => {
    const { node, store } = await connected();
    await store.append('thing-1', [anEvent({ n: 0 })], 'no_stream');
    await node.restart();
    equal((await store.append('thing-1', [anEvent({ n: 1 })], 0n, patient)).revision, 1n);
    const events = await Array.fromAsync(store.read('thing-1', 0n, patient));
    deepEqual(
      events.map(({ data }) => data),
      numbers(2),
    );
  });

  test('the same events again are the same append', async () => {
    const { node, store } = await connected();
    const events = [anEvent(), anEvent()];
    const first = await store.append('thing-1', events, 'no_stream');
    await node.restart();
    deepEqual(await store.append('thing-1', events, 'no_stream', patient), first);
  });

  test('an append and a read wait for the node to come back', async () => {
    const { node, store } = await connected();
    await store.append('thing-1', [anEvent({ n: 0 })], 'no_stream');
    await node.stop();
    const appending = store.append('thing-1', [anEvent({ n: 1 })], 0n, patient);
    const reading = Array.fromAsync(store.read('thing-1', 0n, patient));
    await node.start();
    equal((await appending).revision, 1n);
    ok((await reading).length >= 1);
  });

  test('a subscription goes on without a gap and without a repetition', async () => {
    const { node, store, warnings } = await connected();
    const seen = observe(store, ['thing-']);
    let count = 0;
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 20; n++)
        await store.append(`thing-${n % 4}`, [anEvent({ n: count++ })], 'any', patient);
      await seen.until(() => seen.events().length === count);
      await node.restart();
    }
    await store.append('thing-1', [anEvent({ n: count++ })], 'any', patient);
    await seen.until(() => seen.events().length === count);
    await seen.stop();
    deepEqual(seen.data(), numbers(count));
    ok(warnings.length >= 3, 'nobody was told');
  });

  test('a subscription that has seen nothing yet waits for the node', async () => {
    const { node, store } = await connected();
    await node.stop();
    const seen = observe(store, ['thing-']);
    await node.start();
    await seen.until(() => seen.messages.some(({ kind }) => kind === 'caught_up'));
    await seen.stop();
  });
});

describe('a subscription', () => {
  test('sees its own streams only, and moves on over the others by checkpoints', async () => {
    const { store } = await connected();
    const seen = observe(store, ['wanted-', 'also-']);
    const { position } = await store.append(
      'other-1',
      [...Array(1_100).keys()].map((n) => anEvent({ n })),
      'no_stream',
      patient,
    );
    await store.append('wanted-1', [anEvent({ n: 'w' })], 'no_stream');
    await store.append('also-1', [anEvent({ n: 'a' })], 'no_stream');
    await seen.until(() => seen.events().length === 2);
    await seen.stop();
    deepEqual(seen.data(), [{ n: 'w' }, { n: 'a' }]);
    const positions = seen.messages.flatMap((message) =>
      message.kind === 'checkpoint' ? [message.position] : [],
    );
    ok(positions.length > 0, 'no checkpoint came');
    ok(positions.every((each) => comparePositions(each, position) <= 0));
    const again = observe(store, ['wanted-'], positions[0]);
    await again.until(() => again.events().length === 1);
    await again.stop();
  });

  test('says that it caught up behind the last event that was there before', async () => {
    const { store } = await connected();
    const events = [...Array(700).keys()].map((n) => anEvent({ n }));
    await store.append('thing-1', events, 'no_stream', patient);
    const seen = observe(store, ['thing-']);
    await seen.until(() => seen.messages.some(({ kind }) => kind === 'caught_up'));
    await seen.stop();
    const at = seen.messages.findIndex(({ kind }) => kind === 'caught_up');
    equal(seen.messages.slice(0, at).filter(({ kind }) => kind === 'event').length, 700);
  });

  test('reads no further ahead than its buffer while its reader is busy', async () => {
    const { store } = await connected();
    for (let n = 0; n < 10; n++)
      await store.append(
        `thing-${n}`,
        [...Array(300)].map(() => anEvent({ n })),
        'no_stream',
        patient,
      );
    const abort = new AbortController();
    let batches = 0;
    let events = 0;
    const options = { after: 'start', streamPrefixes: ['thing-'], signal: abort.signal } as const;
    for await (const batch of store.subscribe(options)) {
      batches++;
      ok(batch.length <= 512, `a batch of ${batch.length}`);
      events += batch.filter(({ kind }) => kind === 'event').length;
      if (events === 3_000) abort.abort();
    }
    ok(batches >= 6);
  });

  test('ends when its signal aborts, when its loop is left, and when the store is stopped', async () => {
    const { store } = await connected();
    await store.append('thing-1', [anEvent()], 'no_stream');
    const aborted = observe(store, ['thing-']);
    await aborted.until(() => aborted.events().length === 1);
    await aborted.stop();
    const { signal } = new AbortController();
    for await (const batch of store.subscribe({ after: 'start', streamPrefixes: ['t'], signal }))
      if (batch.length > 0) break;
    const stopped = observe(store, ['thing-']);
    await stopped.until(() => stopped.events().length === 1);
    await store.stop();
    await stopped.running;
  });

  test('from a position inside an event fails, instead of waiting for ever', async () => {
    const { store } = await connected();
    await store.append('thing-1', [anEvent()], 'no_stream');
    const seen = observe(store, ['thing-'], { commit: 1n, prepare: 1n });
    await rejects(seen.running, (error: Error) => /invalid position/.test(String(error.cause)));
  });

  test('from a position beyond the end is silent until the log has grown past it', async () => {
    const { store } = await connected();
    const { position } = await store.append('thing-1', [anEvent()], 'no_stream');
    const beyond = { commit: position.commit + 2_000n, prepare: position.prepare + 2_000n };
    const seen = observe(store, ['thing-'], beyond);
    await seen.until(() => seen.messages.some(({ kind }) => kind === 'caught_up'));
    const written = [];
    for (let n = 0; n < 40; n++)
      written.push((await store.append('thing-1', [anEvent({ n })], 'any')).position);
    const behind = written.filter((each) => comparePositions(each, beyond) > 0);
    ok(behind.length > 0 && behind.length < written.length, 'the log grew past the position');
    await seen.until(() => seen.events().length === behind.length);
    await seen.stop();
    deepEqual(
      seen.events().map((each) => each.position.commit),
      behind.map(({ commit }) => commit),
    );
  });

  test('without a prefix is refused', async () => {
    const { store } = await connected();
    await rejects(observe(store, []).running, { code: 'invalid_request' });
  });
});

describe('without a node', () => {
  test('calls fail with a fault once they have waited', async () => {
    const store = await connectEventStore({ url: 'esdb://127.0.0.1:1?tls=false' });
    onTestFinished(() => store.stop());
    const away = { code: 'event_store_unavailable' };
    await Promise.all([
      rejects(Array.fromAsync(store.read('thing-1')), away),
      rejects(store.append('thing-1', [anEvent()], 'any'), away),
    ]);
  });

  test('a URL that is none is refused without showing it', async () => {
    await rejects(connectEventStore({ url: 'http://user:secret@host' }), (error: Error) => {
      equal(error.message.includes('secret'), false);
      return true;
    });
  });
});

describe('an append', () => {
  test('over the size limit is refused as such', async () => {
    const { store } = await connected();
    const event = anEvent({ text: 'x'.repeat(1_100_000) });
    await rejects(store.append('thing-1', [event], 'any'), { code: 'payload_too_large' });
    await store.append('thing-1', [anEvent()], 'no_stream');
  });

  test('of nothing is refused', async () => {
    const { store } = await connected();
    await rejects(store.append('thing-1', [], 'any'), { code: 'invalid_request' });
  });

  test('many at once all arrive, each in its place', async () => {
    const { store } = await connected();
    const appending = [...Array(500).keys()].map((n) =>
      store.append(`thing-${n % 50}`, [anEvent({ n })], 'any', patient),
    );
    const positions = (await Promise.all(appending)).map(({ position }) => position.commit);
    equal(new Set(positions).size, 500);
    equal((await Array.fromAsync(store.read('thing-7'))).length, 10);
  });
});
