import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 10;

/**
 * Stops a process with SIGSTOP. Resolves when none of its threads runs or is inside a system call: until one of
 * them takes the signal, the others go on. A process that has ended counts as stopped.
 */
export async function suspendProcess(pid: number): Promise<void> {
  signalProcess(pid, 'SIGSTOP');
  while (!(await isSuspended(pid))) await delay(pollMs);
}

/** Signals a process that may have ended. */
export function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function isSuspended(pid: number): Promise<boolean> {
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => '');
    const state = stat.slice(stat.lastIndexOf(')') + 2)[0];
    if (state !== undefined && !'TtXZ'.includes(state)) return false;
  }
  return true;
}
