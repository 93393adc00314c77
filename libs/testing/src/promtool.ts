import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  type DebianPackage,
  toolsFolder,
  unpackNewerDebianPackage,
  unpackOwnPackage,
} from '@sluice/embedded';

const cached = join(toolsFolder, 'prometheus', 'promtool');
const debianPackage: DebianPackage = {
  name: 'prometheus',
  binary: 'usr/bin/promtool',
  isNewEnough: () => true,
};

/**
 * Returns the path of Prometheus' promtool: on the PATH, fetched before, or unpacked from Debian's package into the
 * tool cache of this checkout. Throws where there is none.
 */
export async function ensurePromtool(): Promise<string> {
  for (const path of ['promtool', cached]) if (await runs(path)) return path;
  await mkdir(dirname(cached), { recursive: true });
  const folder = await mkdtemp(join(toolsFolder, 'prometheus-'));
  try {
    const unpacked =
      (await unpackOwnPackage(folder, debianPackage).catch(() => undefined)) ??
      (await unpackNewerDebianPackage(folder, debianPackage));
    if (unpacked === undefined) throw new Error('promtool is missing: install Prometheus.');
    await chmod(unpacked, 0o755);
    await rename(unpacked, cached);
    return cached;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runs(path: string): Promise<boolean> {
  return promisify(execFile)(path, ['--version']).then(
    () => true,
    () => false,
  );
}
