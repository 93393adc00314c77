import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { sharedWork } from './shared-work.ts';

const patient = new AbortController().signal;

/** Work that ends when the test says so, and counts how often it was begun and ended. */
function someWork() {
  const begun: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const signals: AbortSignal[] = [];
  const work = (signal: AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    begun.push({ resolve, reject });
    signals.push(signal);
    return promise;
  };
  return { begun, signals, work };
}

describe('callers with the same key', () => {
  test('share one piece of work and its result', async () => {
    const share = sharedWork<string>();
    const { begun, work } = someWork();
    const answers = Array.from({ length: 40 }, () => share('a', work, patient));
    equal(begun.length, 1);
    begun[0]?.resolve('done');
    deepEqual(new Set(await Promise.all(answers)), new Set(['done']));
  });

  test('share its failure, and the next one begins anew', async () => {
    const share = sharedWork<string>();
    const { begun, work } = someWork();
    const answers = [share('a', work, patient), share('a', work, patient)];
    begun[0]?.reject(new Error('no'));
    for (const answer of answers) await rejects(answer, /no/);
    const next = share('a', work, patient);
    begun[1]?.resolve('yes');
    equal(await next, 'yes');
  });

  test('leave one by one; the last one ends the work', async () => {
    const share = sharedWork<string>();
    const { signals, work } = someWork();
    const [one, other] = [new AbortController(), new AbortController()];
    const first = rejects(share('a', work, one.signal), /first/);
    const second = rejects(share('a', work, other.signal), /second/);
    one.abort(new Error('first'));
    await first;
    equal(signals[0]?.aborted, false);
    other.abort(new Error('second'));
    await second;
    equal(signals[0]?.aborted, true);
    void share('a', work, patient);
    equal(signals[1]?.aborted, false, 'the work that was ended is shared no more');
  });
});

test('callers with other keys have work of their own', () => {
  const share = sharedWork<string>();
  const { begun, work } = someWork();
  void share('a', work, patient);
  void share('b', work, patient);
  equal(begun.length, 2);
});
