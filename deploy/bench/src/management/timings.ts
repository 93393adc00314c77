import { percentile } from '../percentile.ts';

export interface Timings {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
}

export interface TimedWork {
  /** The number of measured runs. A tenth as many run before them unmeasured. */
  readonly count: number;
  readonly inFlight: number;
  readonly act: (index: number) => Promise<unknown>;
}

/** Does it again and again, so many at a time, and says how long each took. */
export async function time({ count, inFlight, act }: TimedWork): Promise<Timings> {
  const warmUps = Math.ceil(count / 10);
  await run(warmUps, inFlight, (index) => act(count + index));
  const took: number[] = [];
  const startedMs = performance.now();
  await run(count, inFlight, async (index) => {
    const beganMs = performance.now();
    await act(index);
    took.push(performance.now() - beganMs);
  });
  const seconds = (performance.now() - startedMs) / 1000;
  return {
    p50Ms: percentile(took, 0.5),
    p99Ms: percentile(took, 0.99),
    perSecond: count / seconds,
  };
}

async function run(
  count: number,
  inFlight: number,
  act: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}
