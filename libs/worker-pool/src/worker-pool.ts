import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { type Turn, Turns } from './turns.ts';
import type { Task } from './worker.ts';

/**
 * The reason why a job has no result. `late`: it had the processor for as long as it may. `busy`: others had the
 * threads, and the job has not been done. `broken`: it failed, or needed too much memory.
 */
export type JobFailure = 'late' | 'busy' | 'broken';

export type Outcome<Result> = { readonly result: Result } | JobFailure;

export interface PoolJob {
  /** The account that owns the work. Accounts take turns. */
  readonly account: string;
  /** A module whose export `work` runs in a thread: it gets a copy of the input and returns the result. */
  readonly module: URL;
  readonly input: unknown;
  /** A job that waits is taken out when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs work in threads beside the event loop. */
export interface WorkerPool {
  /** Runs a job in a thread. The promise never rejects. */
  run<Result>(job: PoolJob): Promise<Outcome<Result>>;
  stop(): Promise<void>;
}

export interface PoolOptions {
  /** Processor time that a job may have, in milliseconds. */
  readonly deadlineMs?: number;
  /** A job that has waited for so long for a thread is `busy`. */
  readonly waitMs?: number;
  /** A job that has a thread for so long and not its processor time is `busy`: the machine is. */
  readonly starvedMs?: number;
  /** A job that runs for longer is slow. */
  readonly quantumMs?: number;
  readonly places?: number;
  readonly slowPlaces?: number;
  readonly memoryMbMax?: number;
}

const defaults = {
  deadlineMs: 10_000,
  waitMs: 20_000,
  starvedMs: 60_000,
  quantumMs: 250,
  places: Math.min(8, Math.max(2, availableParallelism() - 1)),
  slowPlaces: 2,
  memoryMbMax: 512,
} as const satisfies Required<PoolOptions>;

const waitingMax = 4_096;
const waitingPerAccountMax = 256;
/** Threads end when they have had no work for so long. */
const idleMs = 300_000;
/** Threads have what the event loop leaves. Linux alone knows a niceness of threads. */
const niceness = 10;
const bytesPerMebibyte = 1_048_576;

interface Waiting extends Turn {
  readonly job: PoolJob;
  readonly settle: (outcome: Outcome<unknown>) => void;
  readonly leave: () => void;
  timer: NodeJS.Timeout;
}

/** A job on its thread. */
interface Run {
  readonly tookMs: () => number;
  readonly marks: Float64Array;
  /** Ends the thread. */
  readonly stopping: AbortController;
  isOver: boolean;
  /** True while its thread is asked for its memory. */
  isMeasured: boolean;
  /** Why the thread was ended. `interrupted`: the job begins anew. */
  stoppedBecause: JobFailure | 'interrupted' | undefined;
}

/** Creates a pool. Its threads start with the first jobs. */
export function createWorkerPool(options: PoolOptions = {}): WorkerPool {
  return new Pool({ ...defaults, ...options });
}

class Pool implements WorkerPool {
  readonly #options: Required<PoolOptions>;
  readonly #turns: Turns<Waiting>;
  readonly #threads: Piscina;
  #isStopped = false;

  constructor(options: Required<PoolOptions>) {
    const { places, slowPlaces, memoryMbMax } = options;
    this.#options = options;
    this.#turns = new Turns({ places, slowPlaces, waitingMax, waitingPerAccountMax });
    this.#threads = new Piscina({
      filename: new URL('worker.ts', import.meta.url).href,
      name: 'work',
      minThreads: 0,
      maxThreads: places + slowPlaces,
      idleTimeout: idleMs,
      niceIncrement: niceness,
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: memoryMbMax },
    });
    // A thread that ends between two jobs is replaced.
    this.#threads.on('error', () => undefined);
  }

  run<Result>(job: PoolJob): Promise<Outcome<Result>> {
    return new Promise<Outcome<unknown>>((resolve) => {
      if (this.#isStopped || job.signal?.aborted) {
        resolve('busy');
        return;
      }
      const leave = () => {
        this.#turns.remove(turn);
        turn.settle('busy');
      };
      const turn: Waiting = {
        account: job.account,
        isSlow: false,
        job,
        leave,
        settle: (outcome) => {
          clearTimeout(turn.timer);
          job.signal?.removeEventListener('abort', leave);
          resolve(outcome);
        },
        timer: setTimeout(leave, this.#options.waitMs),
      };
      job.signal?.addEventListener('abort', leave, { once: true });
      this.#turns.add(turn)?.settle('busy');
      this.#startNext();
    }) as Promise<Outcome<Result>>;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const turn of this.#turns.clear()) turn.settle('busy');
    await this.#threads.destroy();
  }

  #startNext(): void {
    if (this.#isStopped) return;
    for (let turn = this.#turns.next(); turn; turn = this.#turns.next()) void this.#start(turn);
  }

  async #start(turn: Waiting): Promise<void> {
    clearTimeout(turn.timer);
    const beganMs = performance.now();
    const run: Run = {
      tookMs: () => performance.now() - beganMs,
      marks: new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT)),
      stopping: new AbortController(),
      isOver: false,
      isMeasured: false,
      stoppedBecause: undefined,
    };
    const looking = setInterval(() => {
      void this.#look(turn, run);
      void this.#lookAtMemory(run);
    }, this.#options.quantumMs);
    const { module, input } = turn.job;
    const task: Task = { module: module.href, input, marks: run.marks };
    let outcome: Outcome<unknown> | undefined;
    try {
      outcome = { result: await this.#threads.run(task, { signal: run.stopping.signal }) };
    } catch {
      // The cause may quote the input, so it is not returned.
      const { stoppedBecause = this.#isStopped ? 'busy' : 'broken' } = run;
      if (stoppedBecause !== 'interrupted') outcome = stoppedBecause;
    }
    run.isOver = true;
    clearInterval(looking);
    this.#turns.end(turn, run.tookMs());
    if (outcome !== undefined) turn.settle(outcome);
    else this.#putBack(turn);
    this.#startNext();
  }

  /**
   * Looks at a running job. One that has had the processor until its deadline ends. One that has had it for a quantum
   * gives its place to others. Time in which the thread had no processor is not the job's own.
   */
  async #look(turn: Waiting, run: Run): Promise<void> {
    const { deadlineMs, quantumMs, starvedMs } = this.#options;
    const usedMs = await this.#processorMs(run);
    if (run.isOver || run.stoppedBecause !== undefined) return;
    const stop = (because: Run['stoppedBecause']) => {
      run.stoppedBecause = because;
      run.stopping.abort();
    };
    if (usedMs >= deadlineMs) stop('late');
    else if (run.tookMs() >= starvedMs) stop('busy');
    else if (usedMs < quantumMs || turn.isSlow) return;
    else if (this.#turns.slow(turn)) this.#startNext();
    else if (this.#turns.isWanted(turn)) stop('interrupted');
  }

  /**
   * Ends a job that holds too many bytes in buffers, which the limit of the heap leaves out. A thread in native code
   * answers late, so nothing waits for the answer.
   */
  async #lookAtMemory(run: Run): Promise<void> {
    if (run.isMeasured) return;
    run.isMeasured = true;
    const [id = 0] = run.marks;
    const thread = this.#threads.threads.find(({ threadId }) => id !== 0 && threadId === id);
    const statistics = await thread?.getHeapStatistics().catch(() => undefined);
    run.isMeasured = false;
    if (run.isOver || run.stoppedBecause !== undefined) return;
    if ((statistics?.external_memory ?? 0) <= this.#options.memoryMbMax * bytesPerMebibyte) return;
    run.stoppedBecause = 'broken';
    run.stopping.abort();
  }

  /** The job begins anew when a slow place is free, unless its caller has left. */
  #putBack(turn: Waiting): void {
    if (this.#isStopped || turn.job.signal?.aborted) {
      turn.settle('busy');
      return;
    }
    turn.timer = setTimeout(turn.leave, this.#options.waitMs);
    this.#turns.putBack(turn);
  }

  /** Returns the processor time of a job. A thread that cannot say it has had all the time. */
  async #processorMs({ marks: [id = 0, beforeMs = 0], tookMs }: Run): Promise<number> {
    if (id === 0) return 0;
    const thread = this.#threads.threads.find(({ threadId }) => threadId === id);
    try {
      const usage = await thread?.cpuUsage();
      return usage ? (usage.user + usage.system) / 1_000 - beforeMs : tookMs();
    } catch {
      return tookMs();
    }
  }
}
