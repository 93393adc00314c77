import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { describe, onTestFinished, test } from 'vitest';
import { noFaults } from '@sluice/eventstore-server';
import { connectEventStore } from './index.ts';
import { anEvent } from './testing/an-event.ts';
import { observe } from './testing/observed.ts';
import { restartableNode } from './testing/restartable-node.ts';

async function faulty(secretsDirectory?: string) {
  const faults = noFaults();
  const node = await restartableNode({
    faults,
    ...(secretsDirectory === undefined ? {} : { secretsDirectory }),
  });
  const store = await connectEventStore({ url: node.url });
  onTestFinished(() => store.stop());
  return { faults, node, store };
}

const numbers = (count: number) => [...Array(count).keys()].map((n) => ({ n }));
const dataOf = (events: readonly { readonly data: unknown }[]) => events.map(({ data }) => data);

describe('an append', () => {
  test('whose answer is lost is made again and written once', async () => {
    const { faults, store } = await faulty();
    await store.append('thing-1', [anEvent({ n: 0 })], 'no_stream');
    faults.lostResponses = 2;
    equal((await store.append('thing-1', [anEvent({ n: 1 })], 0n)).revision, 1n);
    faults.lostResponses = 1;
    equal((await store.append('thing-1', [anEvent({ n: 2 })], 'any')).revision, 2n);
    deepEqual(dataOf(await Array.fromAsync(store.read('thing-1'))), numbers(3));
  });

  test('that loses its answer takes others with it, and all are written once', async () => {
    const { faults, store } = await faulty();
    faults.lostResponses = 3;
    const appending = numbers(40).map(({ n }) =>
      store.append(`thing-${n}`, [anEvent({ n })], 'no_stream'),
    );
    await Promise.all(appending);
    for (const { n } of numbers(40))
      deepEqual(dataOf(await Array.fromAsync(store.read(`thing-${n}`))), [{ n }]);
  });

  test('waits while the node is not ready', async () => {
    const { faults, store } = await faulty();
    faults.unavailableCalls = 3;
    equal((await store.append('thing-1', [anEvent()], 'no_stream')).revision, 0n);
    faults.unavailableCalls = 3;
    equal((await Array.fromAsync(store.read('thing-1'))).length, 1);
  });

  test('goes to the leader when it is told where that is', async () => {
    const leader = await restartableNode();
    // Nodes of one cluster know the same users and the same authority.
    const { faults, store } = await faulty(leader.secretsDirectory);
    const { hostname: host, port } = new URL(leader.url);
    faults.notLeader = { host, port: Number(port) };
    await store.append('thing-1', [anEvent({ n: 0 })], 'no_stream');
    const there = await connectEventStore({ url: leader.url });
    onTestFinished(() => there.stop());
    deepEqual(dataOf(await Array.fromAsync(there.read('thing-1'))), numbers(1));
  });

  test('with an event that is too large for any server fails alone', async () => {
    const { store } = await faulty();
    const others = Array.from({ length: 10 }, (_, n) =>
      store.append(`thing-${n}`, [anEvent({ n })], 'no_stream'),
    );
    const large = anEvent({ text: 'x'.repeat(80 * 2 ** 20) });
    await rejects(store.append('large-1', [large], 'no_stream'), { code: 'payload_too_large' });
    await rejects(store.append('large-1', [anEvent({ text: 'x'.repeat(2 * 2 ** 20) })], 'any'), {
      code: 'payload_too_large',
    });
    for (const { revision } of await Promise.all(others)) equal(revision, 0n);
  });

  test('that the disk takes longer for than an attempt lasts is waited for, and written once', async () => {
    const { faults, store } = await faulty();
    await store.append('other-1', [anEvent()], 'no_stream');
    faults.syncDelayMs = 2_200;
    const event = anEvent({ n: 0 });
    equal((await store.append('thing-1', [event], 'no_stream')).revision, 0n);
    faults.syncDelayMs = 0;
    equal((await store.append('thing-1', [event], 'no_stream')).revision, 0n);
    equal((await Array.fromAsync(store.read('thing-1'))).length, 1);
  });
});

describe('a subscription', () => {
  test('that ends again and again and repeats itself delivers each event once', async () => {
    const { faults, store } = await faulty();
    for (const { n } of numbers(50)) await store.append('thing-1', [anEvent({ n })], 'any');
    faults.subscriptionEventsMax = 20;
    faults.repeatedEvents = 5;
    const seen = observe(store, ['thing-']);
    await seen.until(() => seen.events().length === 50);
    await seen.stop();
    deepEqual(seen.data(), numbers(50));
  });

  test('does not mind gaps in positions and events of the system', async () => {
    const { faults, node, store } = await faulty();
    faults.positionGaps = true;
    faults.appendsPerSystemEvent = 3;
    for (const { n } of numbers(20)) await store.append('thing-1', [anEvent({ n })], 'any');
    const seen = observe(store, ['thing-']);
    await seen.until(() => seen.events().length === 20);
    await seen.stop();
    deepEqual(seen.data(), numbers(20));
    const whole = await connectEventStore({ url: node.url, namespace: '' });
    onTestFinished(() => whole.stop());
    const all = observe(whole, ['$stats']);
    await all.until(() => all.messages.some(({ kind }) => kind === 'caught_up'));
    await all.stop();
    ok(all.events().length >= 6);
  });
});

describe('a node that is slow', () => {
  test('is waited for', async () => {
    const { faults, store } = await faulty();
    faults.delayMs = 30;
    equal((await store.append('thing-1', [anEvent()], 'no_stream')).revision, 0n);
    equal((await Array.fromAsync(store.read('thing-1'))).length, 1);
  });
});
