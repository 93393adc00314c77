import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface Ticker {
  stop(): Promise<void>;
}

/** What its thread is given. */
export interface TickerData {
  readonly gapMs: number;
  /** Becomes 1 when it is to end. */
  readonly stopped: Int32Array;
}

/** Faster than that would cost more than it tells. */
const gapMsMin = 0.1;

/**
 * Ticks at intervals shorter than the millisecond of a timer, from a thread that sleeps in between: a
 * process that waits for the clock in a loop would take the processor from what it measures.
 */
export function startTicker(gapMs: number, onTick: () => void): Ticker {
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  const workerData: TickerData = { gapMs: Math.max(gapMsMin, gapMs), stopped };
  const worker = new Worker(join(import.meta.dirname, 'ticker-thread.ts'), { workerData });
  worker.on('message', onTick);
  return {
    async stop() {
      Atomics.store(stopped, 0, 1);
      Atomics.notify(stopped, 0);
      await worker.terminate();
    },
  };
}
