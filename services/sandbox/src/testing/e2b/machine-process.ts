import { systemArguments } from '../../engines/bubblewrap/arguments.ts';
import { findSystem } from '../../host/system.ts';
import { devices, type Space, startSpace } from '../space.ts';

const mebibyte = 1_048_576;

/**
 * Starts a stand-in for a virtual machine of E2B: root with all rights in it, a system that only root may change, and a
 * user 1000. It shares the kernel of this machine, and needs its root.
 */
export async function startMachine(
  bwrap: string,
  { cpuCount, memoryMB }: { readonly cpuCount: number; readonly memoryMB: number },
): Promise<Space> {
  return startSpace({
    bwrap,
    owner: undefined,
    // Limits of processes count those of a user in all machines that share a user namespace.
    hasUsers: true,
    args: [
      ['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--as-pid-1'],
      ['--new-session', '--die-with-parent', '--cap-add', 'ALL', '--hostname', 'sandbox'],
      ['--clearenv', '--setenv', 'PATH', '/usr/sbin:/usr/bin:/bin'],
      systemArguments(await findSystem('/')),
      ['--dir', '/home/user', '--dir', '/run', '--perms', '0700', '--dir', '/root'],
      ['--proc', '/proc', ...devices, '--dir', '/dev/shm', '--perms', '1777', '--tmpfs', '/tmp'],
      ['--', '/bin/bash', '--norc', '-c', 'echo ready; while read -r _; do :; done'],
    ].flat(),
    memoryBytes: memoryMB * mebibyte,
    cpus: cpuCount,
    enter: ['--user', '--mount', '--pid', '--net', '--ipc', '--uts'],
    begin: [],
  });
}
