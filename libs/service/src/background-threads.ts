import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

export interface BackgroundThreadsOptions {
  readonly processors: number;
  /** Processor time of this process after which the threads give way. */
  readonly afterCpuMs: number;
}

/** With more than these there mostly is one that has nothing to do. */
const processorsMax = 2;
/** What every request goes through is compiled by then; before, whoever compiles must not be kept waiting. */
const warmUpCpuMs = 30_000;
/** Of the 19 that there are: three threads that mark still get a tenth of a processor, and come to an end. */
const niceness = 15;
const lookEveryMs = 1_000;
const tasks = '/proc/self/task';
/** As V8's platform names the threads that collect and compile beside the main one. */
const workerName = 'V8Worker';

/**
 * Lets V8's own threads run when the main one has nothing to do, where they share one or two processors:
 * three that mark leave the main one a quarter of it otherwise, for 0.1 s every few seconds of full load.
 * On Linux; elsewhere all stays as it is.
 */
export function backgroundThreadsGiveWay(options: Partial<BackgroundThreadsOptions> = {}): void {
  const { processors = availableParallelism(), afterCpuMs = warmUpCpuMs } = options;
  if (processors > processorsMax || !existsSync(tasks)) return;
  // The main thread waits for those that collect the young generation with it: they must not have to wait for others.
  setFlagsFromString('--no-parallel-scavenge');
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage();
    if ((user + system) / 1_000 < afterCpuMs) return;
    clearInterval(timer);
    giveWay();
  }, lookEveryMs);
  timer.unref();
}

function giveWay(): void {
  for (const task of readdirSync(tasks))
    try {
      const name = readFileSync(`${tasks}/${task}/comm`, 'utf8').trim();
      if (name === workerName) setPriority(Number(task), niceness);
    } catch {
      // A thread that has ended, or a sandbox that forbids it: it is as it was.
    }
}
