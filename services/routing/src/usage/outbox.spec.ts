import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { Outbox, type Waiting } from './outbox.ts';

const fact = (sequence: bigint, changes: Partial<Waiting> = {}): Waiting => ({
  usageId: `${changes.epoch ?? 2n}/${sequence}`,
  accountId: 'a',
  epoch: 2n,
  sequence,
  leaseEpoch: 2n,
  completedAtMs: 0,
  json: Buffer.from('{}'),
  spoolSequence: sequence * 10n,
  publishedAtMs: undefined,
  ...changes,
});

const filled = (count: number): Outbox => {
  const outbox = new Outbox();
  for (let sequence = 1; sequence <= count; sequence += 1) outbox.add(fact(BigInt(sequence)));
  return outbox;
};

const ids = (waiting: readonly { readonly usageId: string }[]) =>
  waiting.map(({ usageId }) => usageId);

describe('the outbox', () => {
  test('gives facts in order, and again those that are put back', () => {
    const outbox = filled(4);
    const taken = outbox.take(3);
    deepEqual(ids(taken), ['2/1', '2/2', '2/3']);
    outbox.putBack(taken.slice(1));
    deepEqual(ids(outbox.take(9)), ['2/2', '2/3', '2/4']);
    deepEqual(outbox.take(9), []);
  });

  test('keeps what is published until it is counted', () => {
    const outbox = filled(3);
    outbox.take(3);
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
    deepEqual(outbox.take(9), []);
  });

  test('does not publish what was counted before it was taken', () => {
    const outbox = filled(3);
    outbox.counted(2n, 2n);
    deepEqual(ids(outbox.take(9)), ['2/3']);
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

  test('sends again what was published long ago and never counted', () => {
    const outbox = filled(2);
    const [first, second] = outbox.take(2);
    if (first && second) [first.publishedAtMs, second.publishedAtMs] = [100, 200];
    equal(outbox.distrust(100), 0);
    equal(outbox.distrust(150), 1);
    deepEqual(ids(outbox.take(9)), ['2/1']);
  });

  test('stays quick when much went through', () => {
    const outbox = filled(5_000);
    equal(outbox.take(5_000).length, 5_000);
    outbox.counted(2n, 4_999n);
    equal(outbox.size, 1);
    equal(outbox.oldestSpoolSequence, 50_000n);
  });

  test('wakes who waits for something to publish', async () => {
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
