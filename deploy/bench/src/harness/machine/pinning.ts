import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parseCpuList, type Placement, placementOn } from './cpu-list.ts';

const run = promisify(execFile);

/** Puts processes onto processors, where the machine has several and `taskset`. */
export interface Pinning {
  /** Undefined: nothing is pinned. */
  readonly placement: Placement | undefined;
  /** All threads of these processes, and what they start from then on. One that has ended is left out. */
  pin(role: keyof Placement, pids: readonly number[]): Promise<void>;
  /**
   * All threads of this process run before anything else on their processors. False: it may not be done here
   * (it takes `chrt` and the right to), or what is measured may run on the same, and would be kept from it.
   */
  goFirst(pid: number): Promise<boolean>;
}

export async function choosePinning(): Promise<Pinning> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '';
  const hasTaskset = await run('taskset', ['--version']).then(
    () => true,
    () => false,
  );
  const placement = hasTaskset ? placementOn(parseCpuList(allowed)) : undefined;
  return {
    placement,
    async pin(role, pids) {
      if (!placement) return;
      const cpus = placement[role].join(',');
      await Promise.all(
        pids.map((pid) => run('taskset', ['-a', '-c', '-p', cpus, String(pid)]).catch(() => {})),
      );
    },
    async goFirst(pid) {
      if (!placement) return false;
      return await run('chrt', ['--all-tasks', '--rr', '--pid', '1', String(pid)]).then(
        () => true,
        () => false,
      );
    },
  };
}
