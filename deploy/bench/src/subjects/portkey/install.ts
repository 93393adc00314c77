import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const timeoutMs = 120_000;
const bench = join(import.meta.dirname, '..', '..', '..');
const cache = join(bench, '..', '..', '.cache', 'portkey');
const program = join('node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js');

/**
 * The gateway that is compared with, of the versions of `portkey/package-lock.json`: outside the workspace,
 * once for each lock file. Returns its program.
 * Throws what npm says when it cannot be fetched.
 */
export async function installPortkey(onProgress: (line: string) => void): Promise<string> {
  const lock = await readFile(join(bench, 'portkey', 'package-lock.json'));
  const folder = join(cache, createHash('sha256').update(lock).digest('hex').slice(0, 12));
  const installed = join(folder, program);
  if (await isThere(installed)) return installed;
  onProgress('Portkey is installed from npm');
  await mkdir(dirname(folder), { recursive: true });
  const making = await mkdtemp(`${folder}-`);
  try {
    for (const name of ['package.json', 'package-lock.json'])
      await copyFile(join(bench, 'portkey', name), join(making, name));
    await run('npm', ['ci', '--ignore-scripts', '--omit=dev', '--fetch-retries=1'], {
      cwd: making,
      timeout: timeoutMs,
    });
    await rename(making, folder);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return installed;
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
