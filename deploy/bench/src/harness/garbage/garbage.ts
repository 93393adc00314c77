import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Sums of the work of the garbage collectors of some processes. */
export interface Garbage {
  readonly freedBytes: number;
  readonly pausedMs: number;
}

export interface Threads {
  readonly mainMs: number;
  /** Processor time of all other threads: garbage collection, the compiler, the disk. */
  readonly helpersMs: number;
}

const tickMs = 10;

/** Returns these settings and those with which a subject keeps sums of its garbage in the folder. */
export function withGarbage(
  settings: Readonly<Record<string, string>>,
  folder: string,
): Readonly<Record<string, string>> {
  const preload = pathToFileURL(join(import.meta.dirname, 'preload.ts'));
  const options = [settings['NODE_OPTIONS'] ?? '', `--import=${preload.href}`];
  return { ...settings, NODE_OPTIONS: options.join(' ').trim(), BENCH_GARBAGE_FOLDER: folder };
}

/** Reads the sums of these processes. */
export async function garbageOf(folder: string, pids: readonly number[]): Promise<Garbage> {
  const all = await Promise.all(
    pids.map((pid) => readFile(join(folder, String(pid)), 'utf8').catch(() => '0 0')),
  );
  const sums = all.map((text) => text.split(' ').map(Number));
  const sumOf = (index: number) => sums.reduce((sum, each) => sum + (each[index] ?? 0), 0);
  return { freedBytes: sumOf(0), pausedMs: sumOf(1) };
}

/** Reads how much processor time the main thread and the others of these processes have used. */
export async function threadsOf(pids: readonly number[]): Promise<Threads> {
  let [mainMs, helpersMs] = [0, 0];
  for (const pid of pids)
    for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
      const path = `/proc/${pid}/task/${thread}/stat`;
      const text = await readFile(path, 'utf8').catch(() => '');
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      const usedMs = text === '' ? 0 : (Number(fields[11]) + Number(fields[12])) * tickMs;
      if (thread === String(pid)) mainMs += usedMs;
      else helpersMs += usedMs;
    }
  return { mainMs, helpersMs };
}
