import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { anEvent } from './testing/an-event.ts';
import { behindAWire, dataOf, numbers } from './testing/behind-a-wire.ts';
import { givenUrl, namesSeveralHosts } from './testing/given-server.ts';
import { observe } from './testing/observed.ts';

type Wired = Awaited<ReturnType<typeof behindAWire>>;

/** A given server has one of them. */
const transports = Object.entries({ 'without TLS': true, 'with TLS': false }).filter(
  ([, insecure]) => givenUrl === undefined || givenUrl.includes('tls=false') === insecure,
);

const losses: Readonly<Record<string, (wired: Wired) => void>> = {
  'is ended': ({ wire }) => wire.break(),
  'is reset': ({ wire }) => wire.reset(),
  'falls silent': ({ wire }) => wire.silence(),
};

/** Each uses the connection, loses it, and goes on within the 5 s that a call without a signal has. */
const uses: Readonly<Record<string, (wired: Wired, lose: () => void) => Promise<void>>> = {
  async appends({ store, stream, stored }, lose) {
    await store.append(stream('a'), [anEvent({ n: 0 })], 'no_stream');
    lose();
    equal((await store.append(stream('a'), [anEvent({ n: 1 })], 0n)).revision, 1n);
    deepEqual(await stored('a'), numbers(2));
  },
  async 'many appends at once'({ store, stream, stored }, lose) {
    await store.append(stream('a'), [anEvent({ n: 0 })], 'no_stream');
    lose();
    const appending = numbers(40).map(({ n }) =>
      store.append(stream(`b${n}`), [anEvent({ n })], 'no_stream'),
    );
    await Promise.all(appending);
    for (const { n } of numbers(40)) deepEqual(await stored(`b${n}`), [{ n }]);
  },
  async 'appends and a subscription'({ store, stream, prefix }, lose) {
    const seen = observe(store, [prefix]);
    await store.append(stream('a'), [anEvent({ n: 0 })], 'no_stream');
    await seen.until(() => seen.events().length === 1);
    lose();
    equal((await store.append(stream('a'), [anEvent({ n: 1 })], 0n)).revision, 1n);
    await seen.until(() => seen.events().length === 2);
    await seen.stop();
    deepEqual(seen.data(), numbers(2));
  },
  async reads({ store, direct, stream }, lose) {
    await direct.append(stream('a'), [anEvent({ n: 0 })], 'no_stream');
    deepEqual(dataOf(await Array.fromAsync(store.read(stream('a')))), numbers(1));
    lose();
    deepEqual(dataOf(await Array.fromAsync(store.read(stream('a')))), numbers(1));
  },
  async 'reads and looks beside appends'({ store, direct, stream, stored }, lose) {
    const { position } = await direct.append(stream('a'), [anEvent({ n: 0 })], 'no_stream');
    await store.append(stream('b'), [anEvent({ n: 0 })], 'no_stream');
    lose();
    const [read, end, at] = await Promise.all([
      Array.fromAsync(store.read(stream('a'))),
      store.end(),
      store.eventAt(position),
      store.append(stream('b'), [anEvent({ n: 1 })], 0n),
    ]);
    deepEqual(dataOf(read), numbers(1));
    ok(end);
    deepEqual(at?.position, position);
    deepEqual(await stored('b'), numbers(2));
  },
  async 'looks at the log'({ store, direct, stream }, lose) {
    const { position } = await direct.append(stream('a'), [anEvent({ n: 0 })], 'no_stream');
    ok(await store.end());
    lose();
    deepEqual((await store.eventAt(position))?.position, position);
  },
};

const rows = transports.flatMap(([transport, insecure]) =>
  Object.entries(losses).flatMap(([loss, lose]) =>
    Object.entries(uses).map(([name, use]) => ({ transport, insecure, loss, lose, name, use })),
  ),
);

describe.skipIf(namesSeveralHosts)('a connection to the event store', () => {
  test.each(rows)('$transport $loss: $name go on', async ({ insecure, lose, use }) => {
    const wired = await behindAWire({ insecure });
    await use(wired, () => lose(wired));
  });
});
