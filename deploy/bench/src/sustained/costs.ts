import { readFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { statOf } from '@sluice/testing/process-stat';
import { garbageOf, threadsOf } from '../harness/garbage/garbage.ts';
import type { Subject } from '../subjects/subject.ts';

const run = promisify(execFile);

/** Sums of everything a subject has used up to one moment. */
export interface Used {
  /** Processor time by the name of the program, those of ended children included. */
  readonly cpuMsByProgram: ReadonlyMap<string, number>;
  readonly mainThreadMs: number;
  readonly helperThreadsMs: number;
  readonly garbageBytes: number;
  readonly garbagePausedMs: number;
  /** Bytes of its data on the disk. */
  readonly storedBytes: number;
}

/** Costs of one request, and of one second. */
export interface Costs {
  readonly cpu_us_by_program: Readonly<Record<string, number>>;
  readonly cpu_us: number;
  readonly main_thread_us: number;
  readonly helper_threads_us: number;
  readonly garbage_bytes: number;
  readonly garbage_paused_us: number;
  readonly stored_bytes: number;
}

/** Looks at everything the subject has used. */
export async function usedBy(subject: Subject, garbageFolder: string): Promise<Used> {
  const { measured, others } = await subject.pids();
  const cpuMsByProgram = new Map<string, number>();
  for (const pid of [...measured, ...others]) {
    const [stat, name] = await Promise.all([
      statOf(pid),
      measured.includes(pid) ? 'requests' : nameOf(pid),
    ]);
    const usedMs = (stat?.cpuMs ?? 0) + (stat?.endedChildrenCpuMs ?? 0);
    cpuMsByProgram.set(name, (cpuMsByProgram.get(name) ?? 0) + usedMs);
  }
  const [threads, garbage, storedBytes] = await Promise.all([
    threadsOf(measured),
    garbageOf(garbageFolder, measured),
    sizeOf(subject.dataDirectory),
  ]);
  return {
    cpuMsByProgram,
    mainThreadMs: threads.mainMs,
    helperThreadsMs: threads.helpersMs,
    garbageBytes: garbage.freedBytes,
    garbagePausedMs: garbage.pausedMs,
    storedBytes,
  };
}

/** Returns the costs of one of so many requests. */
export function costsOf(before: Used, after: Used, requests: number): Costs {
  const each = (figure: (used: Used) => number) => (figure(after) - figure(before)) / requests;
  const perProgram = [...after.cpuMsByProgram].map(([name, ms]) => {
    const usedMs = ms - (before.cpuMsByProgram.get(name) ?? 0);
    return [name, (usedMs * 1_000) / requests] as const;
  });
  return {
    cpu_us_by_program: Object.fromEntries(perProgram.filter(([, us]) => us >= 1)),
    cpu_us: perProgram.reduce((sum, [, us]) => sum + us, 0),
    main_thread_us: each((used) => used.mainThreadMs) * 1_000,
    helper_threads_us: each((used) => used.helperThreadsMs) * 1_000,
    garbage_bytes: each((used) => used.garbageBytes),
    garbage_paused_us: each((used) => used.garbagePausedMs) * 1_000,
    stored_bytes: each((used) => used.storedBytes),
  };
}

/** Returns the name of a program. A process of Node.js is called by the folder of its main file. */
async function nameOf(pid: number): Promise<string> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => 'ended');
  const main = /([^/\0]+)\/(?:src\/)?main\.ts(?:\0|$)/.exec(await read('cmdline'));
  return main?.[1] ?? (await read('comm')).trim();
}

/** Files come and go meanwhile: what `du` cannot read any more is left out. */
async function sizeOf(folder: string | undefined): Promise<number> {
  if (folder === undefined) return 0;
  const stdout = await run('du', ['-sB1', folder]).then(
    (result) => result.stdout,
    (error: { readonly stdout?: string }) => error.stdout ?? '0',
  );
  return Number.parseInt(stdout, 10);
}
