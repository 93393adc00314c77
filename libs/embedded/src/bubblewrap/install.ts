import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unpackOwnPackage } from '../debian/unpack-package.ts';
import { toolsFolder } from '../nats/locate.ts';

/** The sandbox looks for bwrap here when the system has none. */
export const cachedBwrap = join(toolsFolder, 'bubblewrap', 'bwrap');

const debianPackage = {
  name: 'bubblewrap',
  binary: 'usr/bin/bwrap',
  // The first that keeps a sandbox from making user namespaces of its own.
  isNewEnough: (version: string) => /^(?:0\.(?:[89]|[1-9]\d)|[1-9])/.test(version),
};

/**
 * Returns the path of bwrap: of the system, or fetched from the machine's Debian packages without installing anything.
 * Undefined where there is none: then tools that run code are not offered.
 */
export async function ensureBwrap(
  env: Readonly<Record<string, string | undefined>>,
  onProgress: (line: string) => void,
): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const folders = (env['PATH'] ?? '').split(':').filter(Boolean);
  const candidates = [...folders, '/usr/bin'].map((folder) => join(folder, 'bwrap'));
  for (const candidate of [...candidates, cachedBwrap]) if (await runs(candidate)) return candidate;
  onProgress('bubblewrap, which isolates code of models, is missing: fetching it');
  await mkdir(dirname(cachedBwrap), { recursive: true });
  const folder = await mkdtemp(join(toolsFolder, 'bubblewrap-'));
  try {
    const binary = await unpackOwnPackage(folder, debianPackage);
    if (binary === undefined) return undefined;
    await chmod(binary, 0o755);
    if (!(await runs(binary))) return undefined;
    await rename(binary, cachedBwrap);
    return cachedBwrap;
  } catch (error) {
    onProgress(`bubblewrap could not be fetched: ${String(error).split('\n')[0]}`);
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runs(binary: string): Promise<boolean> {
  const executable = await access(binary, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!executable) return false;
  const answer = await promisify(execFile)(binary, ['--version']).catch(() => undefined);
  return debianPackage.isNewEnough(/bubblewrap (\S+)/.exec(answer?.stdout ?? '')?.[1] ?? '');
}
