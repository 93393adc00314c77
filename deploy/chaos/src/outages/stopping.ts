import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { readPid } from '@sluice/embedded';

const pollMs = 20;

/** A process and all that it has started, so that none of them does anything until they are let go. */
export async function freeze(pid: number): Promise<() => void> {
  const frozen: number[] = [];
  process.kill(pid, 'SIGSTOP');
  frozen.push(pid);
  for (const parent of frozen)
    for (const child of await childrenOf(parent)) {
      signal(child, 'SIGSTOP');
      frozen.push(child);
    }
  return () => {
    for (const one of frozen.toReversed()) signal(one, 'SIGCONT');
  };
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
    const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(ppid) === parent) children.push(Number(name));
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
