import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { openSpool, type Spool } from './spool.ts';
import { scratchDirectory } from './testing/scratch-directory.ts';

const segmentBytes = 4_096;
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

async function open(directory: string, onFatal: (error: unknown) => void = failed): Promise<Spool> {
  const spool = await openSpool({ directory, segmentBytes, onFatal });
  onTestFinished(() => spool.stop());
  return spool;
}

function failed(error: unknown): void {
  throw error;
}

const contents = async (spool: Spool, from = 0n) =>
  (await Array.fromAsync(spool.read(from))).map(({ sequence, payload }) => [
    Number(sequence),
    text(payload),
  ]);

const appendMany = async (spool: Spool, from: number, to: number) => {
  for (let index = from; index <= to; index++)
    equal(await spool.append(Buffer.from(`record ${index} `.repeat(20))), BigInt(index));
};

describe('appending', () => {
  test('numbers records from 1 and gives them back, also after opening again', async () => {
    const directory = await scratchDirectory();
    const spool = await open(directory);
    equal(spool.lastSequence(), 0n);
    equal(await spool.append(Buffer.from('a')), 1n);
    equal(await spool.append(Buffer.from('b')), 2n);
    deepEqual(await contents(spool), [
      [1, 'a'],
      [2, 'b'],
    ]);
    await spool.stop();

    const again = await open(directory);
    equal(again.cut, undefined);
    equal(again.epoch, spool.epoch);
    equal(await again.append(Buffer.from('c')), 3n);
    deepEqual(await contents(again, 2n), [
      [2, 'b'],
      [3, 'c'],
    ]);
  });

  test('keeps the order of the calls however many wait', async () => {
    const spool = await open(await scratchDirectory());
    const calls = Array.from({ length: 500 }, (_, index) => index + 1);
    const sequences = await Promise.all(
      calls.map((call) => spool.append(Buffer.from(`record ${call} `.repeat(1 + (call % 50))))),
    );
    deepEqual(sequences.map(Number), calls);
    deepEqual(
      (await contents(spool)).map(([sequence, record]) => [sequence, String(record).split(' ')[1]]),
      calls.map((call) => [call, String(call)]),
    );
  });

  test('takes one record that just fits a segment, and refuses a larger one', async () => {
    const spool = await open(await scratchDirectory());
    const largest = segmentBytes - 40 - 32;
    equal(await spool.append(Buffer.alloc(largest, 1)), 1n);
    equal(await spool.append(Buffer.alloc(largest, 2)), 2n);
    await rejects(spool.append(Buffer.alloc(largest + 1)), { code: 'payload_too_large' });
    equal((await contents(spool)).length, 2);
  });

  test('is refused after stop; what came before is on disk', async () => {
    const directory = await scratchDirectory();
    const spool = await open(directory);
    const appended = spool.append(Buffer.from('a'));
    const stopped = spool.stop();
    await rejects(spool.append(Buffer.from('b')), { code: 'spool_unavailable' });
    equal(await appended, 1n);
    await stopped;
    deepEqual(await contents(await open(directory)), [[1, 'a']]);
  });
});

describe('a directory', () => {
  test('is open once at a time', async () => {
    const directory = await scratchDirectory();
    const spool = await open(directory);
    await rejects(open(directory), { code: 'spool_unavailable', message: /in use/ });
    await spool.stop();
    await open(directory);
  });

  test('made anew has another epoch', async () => {
    const directory = await scratchDirectory();
    const spool = await open(directory);
    await spool.stop();
    await rm(directory, { recursive: true });
    ok((await open(directory)).epoch > spool.epoch);
  });

  test('tells how full the disk is', async () => {
    const used = await (await open(await scratchDirectory())).diskUsed();
    ok(used > 0 && used < 1);
  });
});

describe('segments', () => {
  test('follow each other, all of one size, and are read through', async () => {
    const directory = await scratchDirectory();
    const spool = await open(directory);
    await appendMany(spool, 1, 100);
    const names = (await readdir(directory)).filter((name) => name.endsWith('.segment'));
    ok(names.length > 3);
    for (const name of names) equal((await stat(join(directory, name))).size, segmentBytes);
    equal((await contents(spool)).length, 100);
    await spool.stop();
    const again = await open(directory);
    deepEqual(
      (await contents(again, 51n)).map(([sequence]) => sequence),
      Array.from({ length: 50 }, (_, index) => index + 51),
    );
    await appendMany(again, 101, 120);
  });

  test('are deleted whole when all their records are released, never the last one', async () => {
    const directory = await scratchDirectory();
    const spool = await open(directory);
    await appendMany(spool, 1, 100);
    await spool.release(0n);
    equal(spool.firstSequence(), 1n);
    await spool.release(50n);
    const first = spool.firstSequence();
    ok(first > 1n && first <= 51n);
    equal((await contents(spool))[0]?.[0], Number(first));
    await spool.release(100n);
    equal((await readdir(directory)).filter((name) => name.endsWith('.segment')).length, 1);
    await spool.stop();
    equal(await (await open(directory)).append(Buffer.from('next')), 101n);
  });

  test('are used again once they are released, without their old records', async () => {
    const directory = await scratchDirectory();
    const spool = await open(directory);
    const inodes = async () => {
      const names = (await readdir(directory)).filter((name) => name.endsWith('.segment'));
      const files = names.map((name) => stat(join(directory, name)));
      return new Set((await Promise.all(files)).map(({ ino }) => ino));
    };
    await appendMany(spool, 1, 40);
    const before = await inodes();
    await spool.release(40n);
    const [active] = await inodes();
    before.delete(active ?? 0);
    await appendMany(spool, 41, 80);
    ok([...(await inodes())].some((inode) => before.has(inode)));
    const kept = await contents(spool);
    equal(kept.at(-1)?.[0], 80);
    await spool.stop();
    deepEqual(await contents(await open(directory)), kept);
  });

  test('may be released while they are read', async () => {
    const spool = await open(await scratchDirectory());
    await appendMany(spool, 1, 100);
    const seen: number[] = [];
    for await (const { sequence } of spool.read(1n)) {
      seen.push(Number(sequence));
      if (sequence === 1n) await spool.release(60n);
    }
    const gap = seen.findIndex(
      (sequence, index) => index > 0 && sequence !== (seen[index - 1] ?? 0) + 1,
    );
    equal(seen.at(-1), 100);
    ok(gap === -1 || Number(spool.firstSequence()) === seen[gap]);
  });
});

describe('a disk that fails', () => {
  test('rejects everything from then on and says so once', async () => {
    const directory = await scratchDirectory();
    const fatal: unknown[] = [];
    const spool = await open(directory, (error) => fatal.push(error));
    await spool.append(Buffer.from('a'));
    await rm(directory, { recursive: true });
    const large = () => spool.append(Buffer.alloc(3_000, 1));
    const outcomes = await Promise.allSettled([large(), large(), large()]);
    deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    );
    await rejects(large(), { code: 'spool_unavailable' });
    equal(fatal.length, 1);
  });
});
