import { percentile } from './percentile.ts';

/** The duration of the runs of some work, and the number of runs in a second. */
export interface Timings {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export function timingsOf(tookMs: readonly number[], seconds: number): Timings {
  return {
    perSecond: tookMs.length / seconds,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
  };
}

export const noteOf = ({ p50Ms, p99Ms }: Timings) =>
  `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;

/** Runs the work so many times, some of them at once. Resolves with the seconds. */
export async function inParallel(
  count: number,
  inFlight: number,
  act: (index: number) => Promise<unknown>,
): Promise<number> {
  const startedMs = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return (performance.now() - startedMs) / 1_000;
}

export interface TimedWork {
  /** The number of measured runs. A tenth as many run before them unmeasured. */
  readonly count: number;
  readonly inFlight: number;
  readonly act: (index: number) => Promise<unknown>;
}

/** Runs the work so many times. */
export async function time({ count, inFlight, act }: TimedWork): Promise<Timings> {
  await inParallel(Math.ceil(count / 10), inFlight, (index) => act(count + index));
  const took: number[] = [];
  const seconds = await inParallel(count, inFlight, async (index) => {
    const beganMs = performance.now();
    await act(index);
    took.push(performance.now() - beganMs);
  });
  return timingsOf(took, seconds);
}

export interface RepeatedWork {
  readonly warmUpMs: number;
  readonly measureMs: number;
  readonly inFlight: number;
  readonly act: (worker: number) => Promise<unknown>;
}

/** Runs the work again and again for so long. Runs count that begin and end in the measured time. */
export async function repeat({
  warmUpMs,
  measureMs,
  inFlight,
  act,
}: RepeatedWork): Promise<Timings> {
  const took: number[] = [];
  const measuredFromMs = performance.now() + warmUpMs;
  const endMs = measuredFromMs + measureMs;
  const work = async (worker: number) => {
    for (let nowMs = performance.now(); nowMs < endMs;) {
      await act(worker);
      const afterMs = performance.now();
      if (nowMs >= measuredFromMs && afterMs < endMs) took.push(afterMs - nowMs);
      nowMs = afterMs;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, worker) => work(worker)));
  return timingsOf(took, measureMs / 1_000);
}
