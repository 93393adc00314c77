import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { readPid } from '@sluice/embedded';

const pollMs = 20;

/** Processes that stand still. */
export interface Frozen {
  letGo(): void;
  /** -9 to each of them. */
  kill(): void;
}

/**
 * Stops a process and all that it has started. When this resolves no thread of them runs, nor is inside of
 * a call to the system.
 */
export async function freeze(pid: number): Promise<Frozen> {
  const frozen: number[] = [];
  process.kill(pid, 'SIGSTOP');
  frozen.push(pid);
  for (const parent of frozen)
    for (const child of await childrenOf(parent)) {
      signal(child, 'SIGSTOP');
      frozen.push(child);
    }
  for (const one of frozen) while (!(await standsStill(one))) await delay(pollMs);
  const each = (name: NodeJS.Signals) => () => {
    for (const one of frozen.toReversed()) signal(one, name);
  };
  return { letGo: each('SIGCONT'), kill: each('SIGKILL') };
}

async function standsStill(pid: number): Promise<boolean> {
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => '');
    if (stat !== '' && !'TtXZ'.includes(fieldsOf(stat)[0] ?? '')) return false;
  }
  return true;
}

/** State and parent first. */
function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Kills what a pid file names, each time that it has come back, for so long. Answers how often. */
export async function keepKilling(pidFile: string, durationMs: number): Promise<number> {
  const untilMs = performance.now() + durationMs;
  const dead = new Set<number>();
  while (performance.now() < untilMs) {
    const pid = await readPid(pidFile);
    if (pid !== undefined && !dead.has(pid)) {
      signal(pid, 'SIGKILL');
      dead.add(pid);
    }
    await delay(pollMs);
  }
  return dead.size;
}

async function childrenOf(parent: number): Promise<readonly number[]> {
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    if (Number(fieldsOf(stat)[1]) === parent) children.push(Number(name));
  }
  return children;
}

/** One that has ended meanwhile is passed over. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
