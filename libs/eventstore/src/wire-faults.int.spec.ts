import { randomUUID } from 'node:crypto';
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, onTestFinished, test } from 'vitest';
import { startFaultyWire } from '@sluice/testing/faulty-wire';
import { connectEventStore } from './index.ts';
import { anEvent } from './testing/an-event.ts';
import { givenUrl, namesSeveralHosts } from './testing/given-server.ts';
import { observe } from './testing/observed.ts';
import { restartableNode } from './testing/restartable-node.ts';

const numbers = (count: number) => [...Array(count).keys()].map((n) => ({ n }));
const dataOf = (events: readonly { readonly data: unknown }[]) => events.map(({ data }) => data);

interface Wired {
  readonly insecure?: boolean;
  /** Options of the connection string. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A store behind a wire that fails, the same store past it, and streams that nobody else has. */
async function behindAWire({ insecure = false, settings = {} }: Wired = {}) {
  const url = givenUrl ?? (await restartableNode({ insecure })).url;
  const address = new URL(url);
  const { hostname: host, port } = address;
  const wire = await startFaultyWire({ host, port: Number(port) });
  onTestFinished(() => wire.stop());
  address.port = String(wire.port);
  for (const [name, value] of Object.entries(settings)) address.searchParams.set(name, value);
  const store = await connectEventStore({ url: address.href });
  const direct = await connectEventStore({ url });
  onTestFinished(() => store.stop());
  onTestFinished(() => direct.stop());
  const run = randomUUID().replaceAll('-', '');
  const stream = (name: string) => `wire${run}-${name}`;
  const stored = async (name: string) => dataOf(await Array.fromAsync(direct.read(stream(name))));
  return { wire, store, stream, prefix: `wire${run}-`, stored };
}

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

  test.each([
    ['without TLS', true],
    ['with TLS', false],
  ])('resets connections %s: appends and their subscription go on', async (_, insecure) => {
    const { wire, store, stream, prefix } = await behindAWire({ insecure });
    const seen = observe(store, [prefix]);
    await store.append(stream('a'), [anEvent({ n: 0 })], 'no_stream');
    await seen.until(() => seen.events().length >= 1);
    wire.reset();
    equal((await store.append(stream('a'), [anEvent({ n: 1 })], 0n)).revision, 1n);
    await seen.until(() => seen.events().length >= 2);
    await seen.stop();
    deepEqual(seen.data(), numbers(2));
  });

  // A client without a subscription learns of a reset under TLS from its keepalive only.
  const quick = { keepAliveInterval: '1000', keepAliveTimeout: '1000' };
  test.each([
    { name: 'without TLS', insecure: true },
    { name: 'with TLS and a quick keepalive', settings: quick },
  ])('resets a connection of appends $name: they go on', async (wired) => {
    const { wire, store, stream, stored } = await behindAWire(wired);
    await store.append(stream('a'), [anEvent({ n: 0 })], 'no_stream');
    wire.reset();
    equal((await store.append(stream('a'), [anEvent({ n: 1 })], 0n)).revision, 1n);
    deepEqual(await stored('a'), numbers(2));
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
