import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SetupProblem } from '../setup-problem.ts';
import {
  type DebianPackage,
  unpackNewerDebianPackage,
  unpackOwnPackage,
} from '../debian/unpack-package.ts';
import { cachedBinary, locateNatsServer, toolsFolder } from './locate.ts';
import { installWithPackageManager } from './package-manager.ts';
import { unpackRelease } from './release.ts';
import { isNewEnough, oldestVersion, versionOf } from './version.ts';

const debianPackage: DebianPackage = {
  name: 'nats-server',
  binary: 'usr/sbin/nats-server',
  isNewEnough,
};

/**
 * A nats-server that is new enough: found, or else fetched into the tool cache of this checkout.
 * Calls `onProgress` before a download. Throws SetupProblem when it finds and downloads none.
 */
export async function ensureNatsServer(
  env: Readonly<Record<string, string | undefined>>,
  onProgress: (line: string) => void,
): Promise<string> {
  const found = await locateNatsServer(env);
  if (found !== undefined) return found;
  onProgress(`nats-server ${oldestVersion} or newer is missing: fetching it`);
  const problems: string[] = [];
  const attempt = async (way: string, fetch: (folder: string) => Promise<string | undefined>) => {
    const installed = await unpackIntoCache(fetch).catch((error: unknown) => {
      problems.push(`${way}: ${firstLine(error)}`);
      return undefined;
    });
    if (installed !== undefined) onProgress(`nats-server from ${way}`);
    return installed;
  };
  const installed =
    (await attempt('the apt package', (folder) => unpackOwnPackage(folder, debianPackage))) ??
    (await attempt('the Debian 13 package', (folder) =>
      unpackNewerDebianPackage(folder, debianPackage),
    )) ??
    (await installWithPackageManager().then(() => locateNatsServer(env))) ??
    (await attempt('the official release', unpackRelease));
  if (installed !== undefined) return installed;
  throw new SetupProblem(
    `nats-server ${oldestVersion} or newer could not be fetched: install it, or set NATS_SERVER to ` +
      `its path${problems.length === 0 ? '' : ` (${problems.join('; ')})`}.`,
  );
}

/** The binary moves to its place only when it has shown that it runs and is new enough. */
async function unpackIntoCache(
  fetch: (folder: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  await mkdir(dirname(cachedBinary), { recursive: true });
  const folder = await mkdtemp(join(toolsFolder, 'nats-server-'));
  try {
    const binary = await fetch(folder);
    if (binary === undefined) return undefined;
    await chmod(binary, 0o755);
    const version = await versionOf(binary);
    if (version === undefined) throw new Error('it does not run on this machine');
    if (!isNewEnough(version)) throw new Error(`it is version ${version}`);
    await rename(binary, cachedBinary);
    return cachedBinary;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function firstLine(error: unknown): string {
  const { message, stderr } = error as { message?: string; stderr?: string };
  return (stderr?.trim() || message || String(error)).split('\n')[0] ?? '';
}
