import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FilterSet } from '@sluice/content-filter';
import type { GroupVerdict, ScannedTexts } from './scan-group.ts';

/** The reason why texts have no verdict: the time was up, or a filter or the thread failed. */
export type ScanFailure = 'late' | 'broken';

/** Scans texts in a thread of its own. */
export interface Scanner {
  /** Resolves with a verdict per group, or with the reason why there is none. */
  scan(job: ScanJob): Promise<readonly GroupVerdict[] | ScanFailure>;
  stop(): Promise<void>;
}

export interface ScanJob {
  readonly revision: string;
  readonly set: FilterSet;
  readonly groups: readonly (ScannedTexts & {
    readonly scansInjection: boolean;
  })[];
  readonly entitiesMs: number;
}

/** A job may wait for others and scan for so long. */
const deadlineMsDefault = 10_000;
const jobsMax = 16;
const memoryMbMax = 1_024;

/** Starts its thread with the first job. One that comes to its deadline ends with the thread. */
export function createScanner({
  deadlineMs = deadlineMsDefault,
}: { readonly deadlineMs?: number } = {}): Scanner {
  let worker: Worker | undefined;
  let waiting = 0;
  let turn: Promise<unknown> = Promise.resolve();

  const run = async (
    job: ScanJob,
    signal: AbortSignal,
  ): Promise<readonly GroupVerdict[] | ScanFailure> => {
    if (signal.aborted) return 'late';
    worker ??= start();
    const current = worker;
    try {
      current.postMessage(job, []);
      const [verdicts] = (await once(current, 'message', { signal })) as [GroupVerdict[] | null];
      return verdicts ?? 'broken';
    } catch {
      const failure = signal.aborted ? 'late' : 'broken';
      if (worker === current) worker = undefined;
      await current.terminate();
      return failure;
    }
  };
  const start = () => {
    const started = new Worker(new URL('scan-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMbMax },
    });
    started.unref();
    // `once` hears of it as well: a thread that ends between two jobs is replaced.
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  };

  return {
    async scan(job) {
      if (waiting >= jobsMax) return 'late';
      waiting++;
      const signal = AbortSignal.timeout(deadlineMs);
      const mine = turn.then(() => run(job, signal));
      turn = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        waiting--;
      }
    },
    async stop() {
      await worker?.terminate();
    },
  };
}
