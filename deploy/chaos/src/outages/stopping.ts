import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { readPid, signalProcess, suspendProcess } from '@sluice/embedded';

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
      signalProcess(child, 'SIGSTOP');
      frozen.push(child);
    }
  for (const one of frozen) await suspendProcess(one);
  const each = (name: NodeJS.Signals) => () => {
    for (const one of frozen.toReversed()) signalProcess(one, name);
  };
  return { letGo: each('SIGCONT'), kill: each('SIGKILL') };
}

/** State and parent first. */
function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Kills the process of a pid file after each restart, for so long. Returns the number of kills. */
export async function keepKilling(pidFile: string, durationMs: number): Promise<number> {
  const untilMs = performance.now() + durationMs;
  const dead = new Set<number>();
  while (performance.now() < untilMs) {
    const pid = await readPid(pidFile);
    if (pid !== undefined && !dead.has(pid)) {
      signalProcess(pid, 'SIGKILL');
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
