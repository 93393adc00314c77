import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { etcFiles } from '../../engine/confine.ts';
import { homeDirectory } from '../../engine/engine.ts';
import type { BoxLimits } from '../../engine/limits.ts';
import type { SystemPart } from '../../host/system.ts';

export interface BundleOptions {
  readonly folder: string;
  /** The directory that all boxes have as their root. */
  readonly rootFolder: string;
  readonly system: readonly SystemPart[];
  readonly limits: BoxLimits;
  /** The network namespace that the box gets its interfaces from. A new and empty one if absent. */
  readonly networkPath?: string | undefined;
}

const emptyFolders = ['etc', 'proc', 'dev', 'sys', 'tmp', 'home', 'home/user'];

/** Makes the root directory of boxes: places for what is mounted there, and a few files of `/etc`. */
export async function makeRootFolder(
  rootFolder: string,
  system: readonly SystemPart[],
): Promise<void> {
  for (const name of emptyFolders) await mkdir(join(rootFolder, name), { recursive: true });
  for (const part of system)
    if (part.kind === 'link') await symlink(part.target, join(rootFolder, part.path));
  for (const [name, lines] of Object.entries(etcFiles))
    await writeFile(join(rootFolder, 'etc', name), lines.map((line) => `${line}\n`).join(''));
}

/** Init of a box: it collects ended processes, and ends with its input, which is this process. */
const init = 'echo ready; while read -r _; do :; done';

/** Writes the description of a container as the OCI runtime specification has it. */
export async function writeBundle(options: BundleOptions): Promise<void> {
  await mkdir(options.folder, { mode: 0o700 });
  await writeFile(join(options.folder, 'config.json'), JSON.stringify(descriptionOf(options)));
}

function descriptionOf({ rootFolder, system, limits, networkPath }: BundleOptions): object {
  const memory = (destination: string, ...options: string[]) => ({
    destination,
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'nodev', `size=${limits.homeBytes}`, ...options],
  });
  const binds = system.flatMap((part) =>
    part.kind === 'bind'
      ? [
          {
            destination: part.path,
            type: 'bind',
            source: part.source,
            options: ['rbind', 'ro', 'nosuid', 'nodev'],
          },
        ]
      : [],
  );
  const namespaces = ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type }));
  return {
    ociVersion: '1.0.2',
    process: {
      terminal: false,
      user: { uid: 0, gid: 0 },
      args: ['/bin/bash', '--norc', '-c', init],
      env: ['PATH=/usr/bin:/bin'],
      cwd: '/',
      capabilities: {},
      noNewPrivileges: true,
    },
    root: { path: rootFolder, readonly: true },
    hostname: 'sandbox',
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      ...binds,
      memory(homeDirectory, 'mode=700', 'uid=1000', 'gid=1000'),
      memory('/tmp', 'mode=1777'),
      memory('/dev/shm', 'mode=1777'),
    ],
    linux: {
      namespaces: [
        ...namespaces,
        { type: 'network', ...(networkPath !== undefined && { path: networkPath }) },
      ],
    },
  };
}
