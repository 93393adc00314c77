import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unpackNewerDebianPackage, unpackOwnPackage } from '../debian/unpack-package.ts';
import { toolsFolder } from '../nats/locate.ts';

/** The sandbox looks for runsc here when the system has none. */
export const cachedRunsc = join(toolsFolder, 'gvisor', 'runsc');

const debianPackage = {
  name: 'runsc',
  binary: 'usr/bin/runsc',
  // Earlier kernels of gVisor lack a flag of `statx`, without which the `ls` of Debian 12 fails.
  isNewEnough: (version: string) => /^0\.0~(?:202[4-9]|20[3-9]\d)/.test(version),
};

/**
 * Returns the path of runsc, fetched from the machine's Debian packages, or else those of Debian 13, without installing
 * anything. Undefined where there is none.
 */
export async function fetchRunsc(): Promise<string | undefined> {
  await mkdir(dirname(cachedRunsc), { recursive: true });
  const folder = await mkdtemp(join(toolsFolder, 'gvisor-'));
  try {
    const binary =
      (await unpackOwnPackage(folder, debianPackage)) ??
      (await unpackNewerDebianPackage(folder, debianPackage));
    if (binary === undefined) return undefined;
    await chmod(binary, 0o755);
    await promisify(execFile)(binary, ['--version']);
    await rename(binary, cachedRunsc);
    return cachedRunsc;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
