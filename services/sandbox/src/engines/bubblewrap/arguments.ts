import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { homeDirectory } from '../../engine/engine.ts';
import type { BoxLimits } from '../../engine/limits.ts';

/** The directory under which the holder mounts the memory of its box; each machine has it, and no system lies in it. */
export const memoryDirectory = '/media';

/** File descriptors of a launch; 0, 1 and 2 are the command's. */
export const descriptors = { gate: 3, bwrap: 4, seccomp: 5 } as const;

/** The port of the egress proxy inside of a box. */
export const proxyPort = 3128;

/** Returns the arguments that show a system read-only: its `/usr`, and how `/bin` and its like lie in there. */
export async function systemBinds(rootDirectory: string): Promise<readonly string[]> {
  const binds = ['--ro-bind', join(rootDirectory, 'usr'), '/usr'];
  for (const name of ['bin', 'sbin', 'lib', 'lib32', 'lib64']) {
    const path = join(rootDirectory, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isSymbolicLink()) binds.push('--symlink', `usr/${name}`, `/${name}`);
    else if (stats?.isDirectory()) binds.push('--ro-bind', path, `/${name}`);
  }
  for (const name of [
    'alternatives',
    'ca-certificates',
    'ld.so.cache',
    'ssl/certs',
    'ssl/openssl.cnf',
  ])
    binds.push('--ro-bind-try', join(rootDirectory, 'etc', name), `/etc/${name}`);
  return binds;
}

const kibibyte = 1_024;
const openFilesMax = 1_024;

/** The first program inside: it sets limits that the command cannot raise, and becomes the command. */
const confine = (limits: BoxLimits) =>
  [
    `exec ${descriptors.bwrap}<&-`,
    'ulimit -c 0',
    `ulimit -n ${openFilesMax}`,
    `ulimit -u ${limits.processesMax}`,
    `ulimit -f ${Math.floor(limits.homeBytes / kibibyte)}`,
    `ulimit -d ${Math.floor(limits.memoryBytes / kibibyte)}`,
    'exec "$@"',
  ].join('; ');

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
  const settings = Object.entries(environment(hasProxy));
  const files = ['passwd', 'group', 'hosts', 'nsswitch.conf'];
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
    ['--', '/bin/bash', '-c', confine(limits), 'sandbox', ...argv],
  ].flat();
}

function environment(hasProxy: boolean): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: homeDirectory,
    USER: 'user',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: '/tmp',
    ...(hasProxy ? Object.fromEntries(names.map((name) => [name, proxy])) : {}),
  };
}
