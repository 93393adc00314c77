import { monitorEventLoopDelay } from 'node:perf_hooks';
import { percentile } from '../percentile.ts';

export interface Measured {
  /** Processor time of the threads, of each round. */
  readonly threadMs: readonly number[];
  /** Processor time of the event loop, of each round. */
  readonly loopMs: readonly number[];
  /** The tick of the event loop on the clock that 99 of 100 do not exceed. */
  readonly tickMs: number;
}

/** The compiler needs so many rounds. */
const warmUps = 30;
const resolutionMs = 1;
const share = 99;
const nanoPerMilli = 1e6;

/** Measures so many rounds of some work, and the ticks while two run at a time. */
export async function measure(rounds: number, work: () => Promise<void>): Promise<Measured> {
  for (let count = 0; count < warmUps; count += 1) await work();
  const threadMs: number[] = [];
  const loopMs: number[] = [];
  for (let count = 0; count < rounds; count += 1) {
    const before = [process.cpuUsage(), process.threadCpuUsage()] as const;
    await work();
    const [all, loop] = [process.cpuUsage(before[0]), process.threadCpuUsage(before[1])];
    loopMs.push((loop.user + loop.system) / 1_000);
    threadMs.push((all.user + all.system) / 1_000 - (loopMs.at(-1) ?? 0));
  }
  const ticks = monitorEventLoopDelay({ resolution: resolutionMs });
  ticks.enable();
  for (let count = 0; count < rounds; count += 2) await Promise.all([work(), work()]);
  ticks.disable();
  return { threadMs, loopMs, tickMs: ticks.percentile(share) / nanoPerMilli };
}

export const median = (values: readonly number[]) => percentile(values, 0.5);
