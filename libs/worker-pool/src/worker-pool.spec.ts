import { deepEqual, equal } from 'node:assert/strict';
import { until } from '@sluice/patience';
import { afterAll, describe, test } from 'vitest';
import { createWorkerPool, type PoolOptions, type WorkerPool } from './index.ts';

const module = new URL('testing/work.ts', import.meta.url);
const pools: WorkerPool[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.stop())));

function poolOf(options: PoolOptions = {}): WorkerPool {
  const pool = createWorkerPool({ waitMs: 600_000, starvedMs: 600_000, places: 2, ...options });
  pools.push(pool);
  return pool;
}

const counter = () => new Int32Array(new SharedArrayBuffer(4));

function open(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}

describe('a pool of threads', () => {
  test('answers with the result of the work', async () => {
    const pool = poolOf();
    deepEqual(await pool.run({ account: 'a', module, input: { answer: [1, 'b'] } }), {
      result: [1, 'b'],
    });
  });

  test('says that work is broken, and does the next', async () => {
    const pool = poolOf({ memoryMbMax: 64, deadlineMs: 600_000 });
    equal(await pool.run({ account: 'a', module, input: { fails: true } }), 'broken');
    equal(await pool.run({ account: 'a', module, input: { fills: true } }), 'broken');
    deepEqual(await pool.run({ account: 'a', module, input: { answer: 1 } }), { result: 1 });
  });

  test('ends work that holds too many bytes in buffers', async () => {
    const pool = poolOf({ memoryMbMax: 64, quantumMs: 5, deadlineMs: 600_000 });
    equal(await pool.run({ account: 'a', module, input: { buffers: true } }), 'broken');
    deepEqual(await pool.run({ account: 'a', module, input: { answer: 1 } }), { result: 1 });
  });

  test('ends work that had the processor until its deadline', async () => {
    const pool = poolOf({ deadlineMs: 5, quantumMs: 5 });
    equal(
      await pool.run({ account: 'a', module, input: { spins: true, gate: counter() } }),
      'late',
    );
    deepEqual(await pool.run({ account: 'a', module, input: { answer: 1 } }), { result: 1 });
  });

  test('does not count time in which work has no processor', async () => {
    const pool = poolOf({ deadlineMs: 2_000, quantumMs: 5, starvedMs: 50 });
    equal(await pool.run({ account: 'a', module, input: { gate: counter() } }), 'busy');
  });

  test('serves another account while one has filled the queue with slow work', async () => {
    const pool = poolOf({ quantumMs: 5, deadlineMs: 600_000 });
    const gate = counter();
    const slow = Array.from({ length: 40 }, () =>
      pool.run({ account: 'a', module, input: { spins: true, gate } }),
    );
    for (let count = 0; count < 5; count++)
      deepEqual(await pool.run({ account: 'b', module, input: { answer: count } }), {
        result: count,
      });
    open(gate);
    for (const outcome of await Promise.all(slow)) deepEqual(outcome, { result: undefined });
  });

  test('serves another account while as many accounts as there are threads are slow', async () => {
    const pool = poolOf({ quantumMs: 5, deadlineMs: 600_000, slowPlaces: 2 });
    const gate = counter();
    const starts = counter();
    const slow = ['a', 'b', 'c', 'd', 'e'].map((account) =>
      pool.run({ account, module, input: { spins: true, gate, starts } }),
    );
    await until(() => (Atomics.load(starts, 0) >= 2 ? true : undefined));
    deepEqual(await pool.run({ account: 'z', module, input: { answer: 1 } }), { result: 1 });
    open(gate);
    for (const outcome of await Promise.all(slow)) deepEqual(outcome, { result: undefined });
  });

  test('is busy for a job that waits too long, and says nothing of lateness', async () => {
    const pool = poolOf({ waitMs: 1, places: 1, slowPlaces: 1, quantumMs: 600_000 });
    const gate = counter();
    const starts = counter();
    const first = pool.run({ account: 'a', module, input: { gate, starts } });
    await until(() => (Atomics.load(starts, 0) === 1 ? true : undefined));
    equal(await pool.run({ account: 'b', module, input: {} }), 'busy');
    open(gate);
    deepEqual(await first, { result: undefined });
  });

  test('takes out a job whose caller has left', async () => {
    const pool = poolOf({ places: 1, quantumMs: 600_000 });
    const gate = counter();
    const starts = counter();
    const first = pool.run({ account: 'a', module, input: { gate } });
    const leaving = new AbortController();
    const left = pool.run({
      account: 'b',
      module,
      input: { starts },
      signal: leaving.signal,
    });
    leaving.abort();
    equal(await left, 'busy');
    equal(
      await pool.run({ account: 'b', module, input: { starts }, signal: leaving.signal }),
      'busy',
    );
    open(gate);
    await first;
    deepEqual(await pool.run({ account: 'b', module, input: { answer: 1 } }), { result: 1 });
    equal(Atomics.load(starts, 0), 0);
  });

  test('is busy when it is stopped', async () => {
    const pool = poolOf({ places: 1 });
    const gate = counter();
    const jobs = ['a', 'b'].map((account) => pool.run({ account, module, input: { gate } }));
    await pool.stop();
    deepEqual(await Promise.all(jobs), ['busy', 'busy']);
    equal(await pool.run({ account: 'a', module, input: {} }), 'busy');
  });
});
