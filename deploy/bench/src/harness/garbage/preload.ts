import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { GCProfiler } from 'node:v8';

/**
 * Adds up what the garbage collector frees in the process that loads this with `--import`, and keeps the sum in
 * `BENCH_GARBAGE_FOLDER/<pid>`: freed bytes, milliseconds of collections on the main thread.
 */
const folder = process.env['BENCH_GARBAGE_FOLDER'];
const everyMs = 500;

function begin(path: string): void {
  let freedBytes = 0;
  let pausedMs = 0;
  let profiler = new GCProfiler();
  profiler.start();
  const timer = setInterval(() => {
    const { statistics } = profiler.stop();
    profiler = new GCProfiler();
    profiler.start();
    for (const { beforeGC, afterGC, cost } of statistics) {
      const { usedHeapSize: before } = beforeGC.heapStatistics;
      freedBytes += Math.max(0, before - afterGC.heapStatistics.usedHeapSize);
      pausedMs += cost / 1_000;
    }
    writeFileSync(path, `${freedBytes} ${pausedMs.toFixed(3)}`);
  }, everyMs);
  timer.unref();
}

if (folder !== undefined && isMainThread) begin(join(folder, String(process.pid)));
