import { setTimeout as delay } from 'node:timers/promises';
import type { SubjectPids } from '../../subjects/subject.ts';
import { cpuMsOf, familyCpuMsOf } from './process-figures.ts';

/** Processor time that the processes of a subject had used at one moment. */
export interface Usage {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly othersCpuMs: number;
}

export async function usageOf({ measured, others }: SubjectPids): Promise<Usage> {
  const [cpuMs, othersCpuMs] = await Promise.all([cpuMsOf(measured), familyCpuMsOf(others)]);
  return { atMs: performance.now(), cpuMs, othersCpuMs };
}

export interface Settled {
  readonly usage: Usage;
  /** False: it was still at work in the end, and what it did later is not in its usage. */
  readonly isAtRest: boolean;
}

interface Rest {
  /** Less of a processor than that, of all its processes together, is rest. */
  readonly share: number;
  readonly lookMs: number;
  readonly waitMsMax: number;
}

/**
 * Waits until the subject has done what it left for later, as usage that is counted after the answer: else
 * it would be done while somebody else is measured.
 */
export async function settledUsage(
  pids: SubjectPids,
  { share, lookMs, waitMsMax }: Rest = { share: 0.15, lookMs: 120, waitMsMax: 10_000 },
): Promise<Settled> {
  const deadlineMs = performance.now() + waitMsMax;
  let before = await usageOf(pids);
  for (;;) {
    await delay(lookMs);
    const usage = await usageOf(pids);
    const usedMs = usage.cpuMs + usage.othersCpuMs - before.cpuMs - before.othersCpuMs;
    const isAtRest = usedMs < share * (usage.atMs - before.atMs);
    if (isAtRest || usage.atMs > deadlineMs) return { usage, isAtRest };
    before = usage;
  }
}
