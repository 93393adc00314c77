import { boxEnvironment, confined, etcFiles, proxyPort } from '../../engine/confine.ts';
import { homeDirectory } from '../../engine/engine.ts';
import type { BoxLimits } from '../../engine/limits.ts';
import type { SystemPart } from '../../host/system.ts';

/** The directory under which the holder mounts the memory of its box; each machine has it, and no system lies in it. */
export const memoryDirectory = '/media';

/** File descriptors of a launch; 0, 1 and 2 are the command's. */
export const descriptors = { gate: 3, bwrap: 4, seccomp: 5 } as const;

/** Returns the arguments that show a system read-only. */
export function systemArguments(system: readonly SystemPart[]): readonly string[] {
  return system.flatMap((part) =>
    part.kind === 'bind'
      ? ['--ro-bind', part.source, part.path]
      : ['--symlink', part.target, part.path],
  );
}

/** Files that this process got from its own parent would be open inside. */
const closeInherited =
  `for one in /proc/self/fd/*; do one=\${one##*/}; ` +
  `[ "$one" -gt ${descriptors.seccomp} ] && eval "exec $one<&-"; done`;

export interface LaunchOptions {
  readonly holderPid: number;
  readonly system: readonly string[];
  readonly limits: BoxLimits;
  /** The box has the network of its holder, in which only the egress proxy listens. */
  readonly hasProxy: boolean;
  readonly argv: readonly string[];
}

/**
 * Returns the program and the arguments that run a command in the box of a holder. The launch waits at its gate until
 * the limits of the process are set.
 */
export function launchArguments(options: LaunchOptions): readonly string[] {
  const { holderPid, system, limits, hasProxy, argv } = options;
  const { gate } = descriptors;
  const wait = `${closeInherited}; read -r _ <&${gate} || exit 125; exec "$@" ${gate}<&-`;
  const proxy = hasProxy ? `http://127.0.0.1:${proxyPort}` : undefined;
  const settings = Object.entries(boxEnvironment(proxy));
  const files = Object.keys(etcFiles);
  return [
    ['bash', '-c', wait, 'gate'],
    ['nsenter', '--user', '--preserve-credentials', '--mount', ...(hasProxy ? ['--net'] : [])],
    ['--target', String(holderPid), `/proc/self/fd/${descriptors.bwrap}`],
    ['--unshare-all', '--unshare-user', ...(hasProxy ? ['--share-net'] : [])],
    ['--die-with-parent', '--new-session', '--disable-userns'],
    ['--uid', '1000', '--gid', '1000', '--hostname', 'sandbox', '--cap-drop', 'ALL'],
    ['--clearenv', ...settings.flatMap(([name, value]) => ['--setenv', name, value])],
    system,
    files.flatMap((name) => ['--ro-bind', `${memoryDirectory}/etc/${name}`, `/etc/${name}`]),
    ['--proc', '/proc', '--dev', '/dev'],
    ['--bind', `${memoryDirectory}/shm`, '/dev/shm', '--remount-ro', '/dev'],
    [
      '--bind',
      `${memoryDirectory}/home`,
      homeDirectory,
      '--bind',
      `${memoryDirectory}/tmp`,
      '/tmp',
    ],
    ['--remount-ro', '/', '--chdir', homeDirectory],
    ['--seccomp', String(descriptors.seccomp)],
    ['--', ...confined(limits, argv, [`exec ${descriptors.bwrap}<&-`])],
  ].flat();
}
