import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Ticks at intervals shorter than the millisecond of a timer. */
export interface Ticker {
  start(gapMs: number, onTick: () => void): void;
  pause(): void;
}

/** Memory shared with the ticker thread: `running` is 1 while it ticks, `gapMs` is its interval. */
export interface TickerData {
  readonly running: Int32Array;
  readonly gapMs: Float64Array;
}

/** A tick costs 50 µs; at rates above this each sends more than one request, as does each answer. */
const gapMsMin = 0.25;

let theOne: Promise<Ticker> | undefined;

/**
 * The one of this process. It is a thread that sleeps in between: a process that waits for the clock in a
 * loop would take the processor from what it measures. Resolves when it runs, so that nobody waits for its start.
 */
export function processTicker(): Promise<Ticker> {
  theOne ??= startTicker();
  return theOne;
}

async function startTicker(): Promise<Ticker> {
  const workerData: TickerData = {
    running: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    gapMs: new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)),
  };
  const { running, gapMs: shared } = workerData;
  const worker = new Worker(join(import.meta.dirname, 'ticker-thread.ts'), { workerData });
  await once(worker, 'message');
  worker.unref();
  let onTick: (() => void) | undefined;
  worker.on('message', () => onTick?.());
  const set = (state: 0 | 1) => {
    Atomics.store(running, 0, state);
    Atomics.notify(running, 0);
  };
  return {
    start(gapMs, told) {
      onTick = told;
      shared[0] = Math.max(gapMsMin, gapMs);
      set(1);
    },
    pause() {
      onTick = undefined;
      set(0);
    },
  };
}
