import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { anEvent } from './testing/an-event.ts';
import { behindAWire, numbers } from './testing/behind-a-wire.ts';
import { namesSeveralHosts } from './testing/given-server.ts';
import { observe } from './testing/observed.ts';

async function untilStored(read: () => Promise<readonly unknown[]>, count: number): Promise<void> {
  while ((await read()).length < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.skipIf(namesSeveralHosts)('a network that fails in front of an event store', () => {
  test('loses the answer to an append with its connection: it is written once', async () => {
    const { wire, store, stream, stored } = await behindAWire();
    await store.append(stream('a'), [anEvent({ n: 0 })], 'no_stream');
    wire.swallowAnswers();
    const appending = store.append(stream('a'), [anEvent({ n: 1 })], 0n);
    await untilStored(() => stored('a'), 2);
    wire.pass();
    wire.break();
    equal((await appending).revision, 1n);
    deepEqual(await stored('a'), numbers(2));
  });

  test('is held up in the middle of an append: it is written once', async () => {
    const { wire, store, stream, stored } = await behindAWire();
    await store.append(stream('a'), [anEvent({ n: 0 })], 'no_stream');
    wire.hold();
    const appending = store.append(stream('a'), [anEvent({ n: 1 })], 0n);
    await new Promise((resolve) => setTimeout(resolve, 700));
    wire.pass();
    equal((await appending).revision, 1n);
    deepEqual(await stored('a'), numbers(2));
  });

  test('breaks under many appends: each is written once', async () => {
    const { wire, store, stream, stored } = await behindAWire();
    const appending = numbers(40).map(({ n }) =>
      store.append(stream(String(n)), [anEvent({ n })], 'no_stream'),
    );
    await appending[0];
    wire.break();
    await Promise.all(appending);
    for (const { n } of numbers(40)) deepEqual(await stored(String(n)), [{ n }]);
  });

  test('breaks under a subscription: each event comes once, in order', async () => {
    const { wire, store, stream, prefix } = await behindAWire();
    const seen = observe(store, [prefix]);
    for (const { n } of numbers(30)) {
      await store.append(stream('a'), [anEvent({ n })], 'any');
      if (n % 10 === 5) wire.break();
    }
    await seen.until(() => seen.events().length >= 30);
    await seen.stop();
    deepEqual(seen.data(), numbers(30));
  });

  test('leaves an append that is too large alone in its failure', async () => {
    const { store, stream } = await behindAWire();
    const others = numbers(10).map(({ n }) =>
      store.append(stream(String(n)), [anEvent({ n })], 'no_stream'),
    );
    const large = anEvent({ text: 'x'.repeat(2 * 2 ** 20) });
    await rejects(store.append(stream('large'), [large], 'any'), { code: 'payload_too_large' });
    for (const { revision } of await Promise.all(others)) equal(revision, 0n);
  });
});
