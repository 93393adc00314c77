import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { usageBundleBytesMax } from '@sluice/bus';
import { describe, test } from 'vitest';
import {
  type Bundle,
  bundleJson,
  cutBundle,
  lostBundle,
  noteStored,
  type Waiting,
} from './bundle.ts';
import { Queue } from './queue.ts';

const fact = (sequence: number, json = `{"usageId":"gen-${String(sequence)}"}`): Waiting => ({
  usageId: `gen-${String(sequence)}`,
  accountId: 'a',
  epoch: 2n,
  sequence: BigInt(sequence),
  count: 1,
  leaseEpoch: 2n,
  completedAtMs: 0,
  json: Buffer.from(json),
  spoolSequence: BigInt(sequence),
  bundle: undefined,
});
const facts = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => fact(from + index));
const cut = (waiting: Waiting[]): Bundle => {
  const bundle = cutBundle('a', Queue.of(waiting), () => true);
  ok(bundle);
  return bundle;
};
const jsonOf = (bundle: Bundle): unknown => JSON.parse(Buffer.from(bundleJson(bundle)).toString());
const ofBytes = (bytes: number) => fact(1, JSON.stringify('x'.repeat(bytes - 2)));

describe('a bundle', () => {
  test.each([1, 2, 50])(
    'of %i facts is the JSON of them all, of the bytes that it says',
    (count) => {
      const bundle = cut(facts(count));
      deepEqual(jsonOf(bundle), { facts: facts(count).map(({ usageId }) => ({ usageId })) });
      equal(bundleJson(bundle).length, bundle.bytes);
    },
  );

  test('ends with 50 facts, and leaves the others in order', () => {
    const queue = Queue.of(facts(51));
    const first = cutBundle('a', queue, () => true);
    equal(first?.facts.length, 50);
    deepEqual(
      queue.all().map(({ usageId }) => usageId),
      ['gen-51'],
    );
    equal(first.facts[0]?.bundle, first);
  });

  test('ends with 50 facts also where one stands for many', () => {
    const many = (sequence: number, count: number) => ({ ...fact(sequence), count });
    const queue = Queue.of([many(30, 30), many(50, 20), many(60, 10), many(110, 50)]);
    const sizes = () => cutBundle('a', queue, () => true)?.facts.map(({ count }) => count);
    deepEqual([sizes(), sizes(), sizes(), sizes()], [[30, 20], [10], [50], undefined]);
  });

  test('ends before it has more bytes than it may', () => {
    const half = (usageBundleBytesMax - '{"facts":[]}'.length - 1) / 2;
    const fitting = [ofBytes(Math.floor(half)), ofBytes(Math.floor(half))];
    equal(cut([...fitting]).facts.length, 2);
    equal(cut([ofBytes(Math.floor(half)), ofBytes(Math.ceil(half) + 2)]).facts.length, 1);
  });

  test('of a fact that is longer than that has it alone', () => {
    const queue = Queue.of([ofBytes(usageBundleBytesMax * 2), fact(2)]);
    equal(cutBundle('a', queue, () => true)?.facts.length, 1);
    equal(cutBundle('a', queue, () => true)?.facts[0]?.usageId, 'gen-2');
  });

  test('is without what is not wanted, and there is none without the others', () => {
    const bundle = cutBundle('a', Queue.of(facts(3)), ({ sequence }) => sequence !== 2n);
    deepEqual(
      bundle?.facts.map(({ usageId }) => usageId),
      ['gen-1', 'gen-3'],
    );
    equal(
      cutBundle('a', Queue.of(facts(3)), () => false),
      undefined,
    );
  });

  test('is without the JSON of its facts while the broker has it, and is sent again with what was read again', () => {
    const bundle = cut(facts(3));
    const waiting = bundle.facts;
    const [, second, third] = waiting.map(({ json }) => json);
    noteStored(bundle, { stream: 'USAGE', sequence: 1 });
    deepEqual(
      waiting.map(({ json }) => json),
      [undefined, undefined, undefined],
    );
    const [, ...left] = waiting;
    for (const [index, one] of left.entries()) one.json = index === 0 ? second : third;
    const again = lostBundle(bundle);
    deepEqual(again?.facts, left);
    deepEqual(again && jsonOf(again), { facts: [{ usageId: 'gen-2' }, { usageId: 'gen-3' }] });
    equal(left[0]?.bundle, again);
    const whole = cut(facts(2));
    equal(lostBundle(whole), whole);
  });

  test('has an id of what is inside: the same for the same, another for all else', () => {
    const { id } = cut(facts(3));
    equal(cut(facts(3)).id, id);
    for (const other of [facts(2), facts(4), facts(3, 2), [fact(1), fact(9), fact(3)]])
      notEqual(cut(other).id, id);
  });
});
