import { parentPort, workerData } from 'node:worker_threads';
import type { TickerData } from './ticker.ts';

const { running, gapMs: shared } = workerData as TickerData;
const tell = () => parentPort?.postMessage(0, []);
tell();
for (;;) {
  Atomics.wait(running, 0, 0);
  const gapMs = shared[0] ?? 1;
  let dueMs = performance.now() + gapMs;
  while (Atomics.load(running, 0) === 1) {
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) Atomics.wait(running, 0, 1, waitMs);
    tell();
    // Ticks that were slept through are not made up for: each does all that is due.
    dueMs = Math.max(dueMs, performance.now() - gapMs) + gapMs;
  }
}
