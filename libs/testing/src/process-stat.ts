import { readdir, readFile } from 'node:fs/promises';

export interface ProcessStat {
  readonly parentPid: number;
  /** Processor time of all its threads, including ended ones. */
  readonly cpuMs: number;
  /** Processor time of its children that ended and were waited for. */
  readonly endedChildrenCpuMs: number;
  readonly residentBytes: number;
}

/** Linux counts processor time for programs in hundredths of a second on every machine that Node runs on. */
const tickMs = 10;
const pageBytes = 4_096;

/** The text of `/proc/<pid>/stat`, whatever the process is called. */
export function parseStat(text: string): ProcessStat {
  // The name stands in brackets and may hold anything, brackets as well.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    parentPid: field(4),
    cpuMs: (field(14) + field(15)) * tickMs,
    endedChildrenCpuMs: (field(16) + field(17)) * tickMs,
    residentBytes: field(24) * pageBytes,
  };
}

/** Reads the resource use of a process; undefined when it has ended. */
export async function statOf(pid: number): Promise<ProcessStat | undefined> {
  return await readFile(`/proc/${pid}/stat`, 'utf8').then(parseStat, () => undefined);
}

/** Returns false when the process has ended. A zombie still counts as alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Returns the children of a process. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  return (await childrenByParent()).get(pid) ?? [];
}

/** Returns all processes below these, without them. */
export async function descendantsOf(pids: readonly number[]): Promise<readonly number[]> {
  const children = await childrenByParent();
  const found: number[] = [];
  const open = [...pids];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const below = children.get(pid) ?? [];
    found.push(...below);
    open.push(...below);
  }
  return found;
}

async function childrenByParent(): Promise<ReadonlyMap<number, readonly number[]>> {
  const children = new Map<number, number[]>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)) {
    const stat = await statOf(pid);
    if (stat) children.set(stat.parentPid, [...(children.get(stat.parentPid) ?? []), pid]);
  }
  return children;
}
