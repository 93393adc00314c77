import { setTimeout as delay } from 'node:timers/promises';
import { cpuMsOf } from '../harness/machine/process-figures.ts';

const lookMs = 1_000;
const busyShareMax = 0.1;

/** Waits until a process has almost nothing to do any more, or for so long. True when it came to that. */
export async function untilQuiet(pid: number, timeoutMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  let [beforeMs, sinceMs] = [await cpuMsOf([pid]), performance.now()];
  while (performance.now() < deadlineMs) {
    await delay(lookMs);
    const [cpuMs, nowMs] = [await cpuMsOf([pid]), performance.now()];
    if (cpuMs - beforeMs < busyShareMax * (nowMs - sinceMs)) return true;
    [beforeMs, sinceMs] = [cpuMs, nowMs];
  }
  return false;
}
