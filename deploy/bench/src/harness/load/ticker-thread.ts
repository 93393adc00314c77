import { parentPort, workerData } from 'node:worker_threads';
import type { TickerData } from './ticker.ts';

const { gapMs, stopped } = workerData as TickerData;
const startMs = performance.now();
for (let tick = 1; Atomics.load(stopped, 0) === 0; tick += 1) {
  const waitMs = startMs + tick * gapMs - performance.now();
  if (waitMs > 0) Atomics.wait(stopped, 0, 0, waitMs);
  parentPort?.postMessage(tick, []);
}
