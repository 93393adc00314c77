import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { ByteChannel } from './byte-channel.ts';

const bytes = (text: string) => Buffer.from(text);
const textOf = ({ value }: IteratorResult<Uint8Array>) => Buffer.from(value ?? []).toString();

describe('a byte channel', () => {
  test('gives what was written meanwhile in one piece', async () => {
    const channel = new ByteChannel(() => {});
    const reader = channel[Symbol.asyncIterator]();
    for (const text of ['a', 'b', 'c']) channel.write(bytes(text));
    equal(textOf(await reader.next()), 'abc');
    const waiting = reader.next();
    channel.write(bytes('d'));
    equal(textOf(await waiting), 'd');
    channel.end();
    equal((await reader.next()).done, true);
  });

  test('gives the rest before it ends, and takes nothing after', async () => {
    const channel = new ByteChannel(() => {});
    channel.write(bytes('last'));
    channel.end();
    channel.write(bytes('late'));
    const all: string[] = [];
    for await (const chunk of channel) all.push(Buffer.from(chunk).toString());
    deepEqual(all, ['last']);
  });

  test('makes a writer wait for a slow reader', async () => {
    const channel = new ByteChannel(() => {});
    equal(channel.room(), undefined);
    channel.write(Buffer.alloc(300 * 1024));
    const room = channel.room();
    let hasRoom = false;
    const waiting = room?.then(() => (hasRoom = true));
    await Promise.resolve();
    equal(hasRoom, false);
    await channel[Symbol.asyncIterator]().next();
    await waiting;
    equal(hasRoom, true);
  });

  test('says when its reader leaves before the end, and lets the writer go on', async () => {
    let hasLeft = false;
    const channel = new ByteChannel(() => (hasLeft = true));
    channel.write(Buffer.alloc(300 * 1024));
    const room = channel.room();
    await channel[Symbol.asyncIterator]().return?.();
    await room;
    equal(hasLeft, true);
    channel.write(Buffer.alloc(300 * 1024));
    equal(channel.room(), undefined);
  });

  test('does not take a reader that has all for one that left', async () => {
    let hasLeft = false;
    const channel = new ByteChannel(() => (hasLeft = true));
    channel.write(bytes('x'));
    channel.end();
    const reader = channel[Symbol.asyncIterator]();
    await reader.next();
    await reader.return?.();
    equal(hasLeft, false);
  });

  test('ends for a reader that waits when the client is gone', async () => {
    const channel = new ByteChannel(() => {});
    const waiting = channel[Symbol.asyncIterator]().next();
    channel.leave();
    equal((await waiting).done, true);
  });
});
