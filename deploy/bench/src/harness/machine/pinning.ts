import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parseCpuList, type Placement, placementOn } from './cpu-list.ts';

const run = promisify(execFile);

/** Puts processes onto processors, where the machine has several and `taskset`. */
export interface Pinning {
  /** If undefined, nothing is pinned. */
  readonly placement: Placement | undefined;
  /** All threads of these processes, and what they start from then on. One that has ended is left out. */
  pin(role: keyof Placement, pids: readonly number[]): Promise<void>;
  /**
   * All threads of these processes run before anything else on their processors, the first one's before the
   * second one's. False: it may not be done here (it takes `chrt` and the right to), or what is measured may
   * run on the same, and would be kept from it.
   */
  goFirst(pids: readonly number[]): Promise<boolean>;
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
    async goFirst(pids) {
      if (!placement) return false;
      const inTurn = pids.map((pid, index) =>
        run('chrt', ['--all-tasks', '--rr', '--pid', String(pids.length - index), String(pid)]),
      );
      return await Promise.all(inTurn).then(
        () => true,
        () => false,
      );
    },
  };
}
