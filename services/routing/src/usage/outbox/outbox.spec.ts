import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { Bundle, Waiting } from './bundle.ts';
import { Outbox } from './outbox.ts';

const fact = (sequence: bigint, changes: Partial<Waiting> = {}): Waiting => ({
  usageId: `${changes.epoch ?? 2n}/${sequence}`,
  accountId: 'a',
  epoch: 2n,
  sequence,
  count: 1,
  leaseEpoch: 2n,
  completedAtMs: 0,
  json: Buffer.from('{}'),
  spoolSequence: sequence * 10n,
  bundle: undefined,
  ...changes,
});

const filled = (count: number): Outbox => {
  const outbox = new Outbox();
  for (let sequence = 1; sequence <= count; sequence += 1) outbox.add(fact(BigInt(sequence)));
  return outbox;
};

const all = (outbox: Outbox) => outbox.take(1_000, Infinity);
/** The usage ids of each. */
const ids = (bundles: readonly Bundle[]) =>
  bundles.map(({ facts }) => facts.map(({ usageId }) => usageId).join(' '));

describe('the outbox', () => {
  test('gives what waits of an account as one bundle, in order', () => {
    const outbox = filled(3);
    equal(outbox.hasUnpublished, true);
    deepEqual(ids(all(outbox)), ['2/1 2/2 2/3']);
    equal(outbox.hasUnpublished, false);
    deepEqual(all(outbox), []);
  });

  test('gives bundles again as they were, in order, before all others', () => {
    const outbox = filled(120);
    const taken = all(outbox);
    equal(taken.length, 3);
    outbox.add(fact(121n));
    outbox.putBack(taken.slice(1));
    const again = all(outbox);
    deepEqual(again.slice(0, 2), taken.slice(1));
    deepEqual(ids(again.slice(2)), ['2/121']);
  });

  test('counts all that a fact stands for, until the last of them is counted', () => {
    const outbox = new Outbox();
    outbox.add(fact(30n, { count: 30 }));
    outbox.add(fact(31n));
    outbox.counted(2n, 29n);
    deepEqual([outbox.size, outbox.countedTotal], [31, 0]);
    outbox.counted(2n, 30n);
    deepEqual([outbox.size, outbox.countedTotal], [1, 30]);
    const lost = all(outbox);
    equal(outbox.sendAgain(lost), 1);
  });

  test('never mixes accounts, and gives one after the other its turn', () => {
    const outbox = new Outbox();
    for (let sequence = 1n; sequence <= 120n; sequence += 1n) outbox.add(fact(sequence));
    for (const accountId of ['b', 'c', 'b'])
      outbox.add(fact(BigInt(121 + outbox.size), { accountId }));
    const turns = all(outbox).map(({ accountId, facts }) => [accountId, facts.length]);
    deepEqual(turns, [
      ['a', 50],
      ['b', 2],
      ['c', 1],
      ['a', 50],
      ['a', 20],
    ]);
  });

  test('makes larger bundles of what waits longer', () => {
    const outbox = new Outbox();
    const accounts = ['a', 'b', 'c'];
    let sequence = 0n;
    const arrive = () => {
      for (const accountId of accounts) outbox.add(fact((sequence += 1n), { accountId }));
    };
    const sizes: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      arrive();
      sizes.push(...outbox.take(1, Infinity).map(({ facts }) => facts.length));
    }
    deepEqual(sizes, [1, 2, 3, 3, 3, 3]);
  });

  test('gives no more bundles and bytes than are asked for', () => {
    const outbox = filled(200);
    equal(outbox.take(1, Infinity).length, 1);
    equal(outbox.take(9, 1).length, 1);
    equal(all(outbox).length, 2);
  });

  test('keeps what is published until it is counted', () => {
    const outbox = filled(3);
    all(outbox);
    equal(outbox.size, 3);
    equal(outbox.oldestSpoolSequence, 10n);
    outbox.counted(2n, 2n);
    equal(outbox.size, 1);
    equal(outbox.oldestSpoolSequence, 30n);
    outbox.counted(2n, 3n);
    equal(outbox.oldestSpoolSequence, undefined);
    deepEqual(outbox.epochs, []);
  });

  test('does not go back when an older watermark comes late', () => {
    const outbox = filled(3);
    outbox.counted(2n, 3n);
    outbox.counted(2n, 1n);
    equal(outbox.size, 0);
    outbox.add(fact(3n, { epoch: 2n }));
    deepEqual(all(outbox), []);
  });

  test('does not publish what was counted before it was taken', () => {
    const outbox = filled(3);
    outbox.counted(2n, 2n);
    deepEqual(ids(all(outbox)), ['2/3']);
  });

  test('does not publish a bundle again when all of it was counted meanwhile', () => {
    const outbox = filled(60);
    const taken = all(outbox);
    outbox.putBack(taken);
    outbox.counted(2n, 50n);
    deepEqual(all(outbox), taken.slice(1));
  });

  test('knows whether something waits that an earlier epoch paid for', () => {
    const outbox = new Outbox();
    outbox.add(fact(1n, { leaseEpoch: 1n }));
    outbox.add(fact(2n, { leaseEpoch: 2n }));
    equal(outbox.waitsForLeasesBefore(2n), true);
    outbox.counted(2n, 1n);
    equal(outbox.waitsForLeasesBefore(2n), false);
    equal(outbox.waitsForLeasesBefore(3n), true);
  });

  test('keeps the epochs apart', () => {
    const outbox = filled(2);
    outbox.add(fact(1n, { epoch: 3n }));
    outbox.counted(3n, 5n);
    equal(outbox.size, 2);
    deepEqual(outbox.epochs, [2n]);
  });

  test('gives what the broker was last known to have before an instant, oldest first, up to a bound', () => {
    const outbox = filled(180);
    const bundles = all(outbox);
    for (const [index, bundle] of bundles.entries())
      bundle.stored = { at: { stream: 'USAGE', sequence: index + 1 }, knownAtMs: index * 100 };
    deepEqual(outbox.lastKnownBefore(0, 10), []);
    deepEqual(outbox.lastKnownBefore(200, 10), bundles.slice(0, 2));
    deepEqual(outbox.lastKnownBefore(1_000, 3), bundles.slice(0, 3));
    outbox.counted(2n, 50n);
    deepEqual(outbox.lastKnownBefore(200, 10), bundles.slice(1, 2));
  });

  test('sends only lost facts again, without counted ones', () => {
    const outbox = filled(60);
    const [first, second] = all(outbox);
    for (const bundle of [first, second])
      if (bundle) bundle.stored = { at: { stream: 'USAGE', sequence: 1 }, knownAtMs: 100 };
    equal(outbox.hasUnpublished, false);
    outbox.counted(2n, 20n);
    equal(outbox.sendAgain(first ? [first] : []), 30);
    deepEqual(all(outbox), [first]);
    equal(first?.stored, undefined);
    equal(outbox.sendAgain([]), 0);
    equal(outbox.hasUnpublished, false);
  });

  test('tells the age of what the bus does not have', () => {
    const outbox = new Outbox();
    equal(outbox.oldestUnpublishedMs, undefined);
    outbox.add(fact(1n, { completedAtMs: 20, accountId: 'b' }));
    const [sent] = all(outbox);
    outbox.add(fact(2n, { completedAtMs: 30 }));
    equal(outbox.oldestUnpublishedMs, 30);
    outbox.putBack(sent ? [sent] : []);
    equal(outbox.oldestUnpublishedMs, 20);
  });

  test('stays quick when much went through', () => {
    const outbox = filled(5_000);
    equal(all(outbox).length, 100);
    outbox.counted(2n, 4_999n);
    equal(outbox.size, 1);
    equal(outbox.oldestSpoolSequence, 50_000n);
  });

  test('wakes a publisher that waits for facts', async () => {
    const outbox = new Outbox();
    const { signal } = new AbortController();
    const waking = outbox.rung(signal);
    outbox.add(fact(1n));
    await waking;
    const stopping = new AbortController();
    const second = outbox.rung(stopping.signal);
    stopping.abort();
    await second;
  });
});
