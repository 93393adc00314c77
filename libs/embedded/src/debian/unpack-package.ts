import { execFile } from 'node:child_process';
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AptMirror, mirrorOf, sourceList } from './apt-sources.ts';

const run = promisify(execFile);
const timeoutMs = 180_000;
const newerSuite = 'trixie';
const debianKeyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

export interface DebianPackage {
  readonly name: string;
  /** Path of the program in the package. */
  readonly binary: string;
  readonly isNewEnough: (version: string) => boolean;
}

/**
 * Unpacks a package of this machine's own apt sources under `folder` without installing it: nothing of the system
 * changes, no service starts, no root is needed. Returns the binary; undefined when apt is not here or its package is
 * too old.
 */
export async function unpackOwnPackage(
  folder: string,
  wanted: DebianPackage,
): Promise<string | undefined> {
  const policy = await run('apt-cache', ['policy', wanted.name]).catch(() => undefined);
  const candidate = /Candidate: (\d\S*)/.exec(policy?.stdout ?? '')?.[1];
  if (candidate === undefined || !wanted.isNewEnough(candidate)) return undefined;
  return downloadAndUnpack(folder, wanted, []);
}

/**
 * Unpacks the package of Debian 13 for an older Debian: from the machine's own mirror, signatures checked, with lists
 * and state of its own under `folder`. Returns the binary; undefined where this is not Debian.
 */
export async function unpackNewerDebianPackage(
  folder: string,
  wanted: DebianPackage,
): Promise<string | undefined> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  if (!/^ID="?debian"?$/m.test(release)) return undefined;
  const codename = /^VERSION_CODENAME="?(\w+)"?$/m.exec(release)?.[1];
  const mirror = codename === undefined ? undefined : await machineMirror(codename);
  if (!mirror) return undefined;
  const state = join(folder, 'apt');
  for (const part of ['lists/partial', 'cache/archives/partial', 'sources'])
    await mkdir(join(state, part), { recursive: true });
  const keyring = await access(debianKeyring).then(
    () => debianKeyring,
    () => undefined,
  );
  const list = sourceList(mirror, newerSuite, keyring);
  await writeFile(join(state, 'sources', `${newerSuite}.sources`), list);
  const settings = [
    'Dir::Etc::sourcelist=/dev/null',
    `Dir::Etc::sourceparts=${join(state, 'sources')}`,
    'Dir::Etc::preferences=/dev/null',
    'Dir::Etc::preferencesparts=/dev/null',
    `Dir::State=${state}`,
    `Dir::State::lists=${join(state, 'lists')}`,
    'Dir::State::status=/dev/null',
    `Dir::Cache=${join(state, 'cache')}`,
    // The folder is ours: the user that apt would change to cannot write here.
    'APT::Sandbox::User=',
  ].flatMap((setting) => ['-o', setting]);
  await run('apt-get', [...settings, 'update'], { timeout: timeoutMs });
  return downloadAndUnpack(folder, wanted, settings);
}

async function machineMirror(codename: string): Promise<AptMirror | undefined> {
  const parts = '/etc/apt/sources.list.d';
  const names = await readdir(parts).catch(() => []);
  const files = names.filter((name) => /\.(?:list|sources)$/.test(name)).toSorted();
  for (const path of ['/etc/apt/sources.list', ...files.map((name) => join(parts, name))]) {
    const mirror = mirrorOf(await readFile(path, 'utf8').catch(() => ''), codename);
    if (mirror) return mirror;
  }
  return undefined;
}

async function downloadAndUnpack(
  folder: string,
  { name, binary }: DebianPackage,
  settings: readonly string[],
): Promise<string> {
  await run('apt-get', [...settings, 'download', name], {
    cwd: folder,
    timeout: timeoutMs,
  });
  const archive = (await readdir(folder)).find((file) => file.endsWith('.deb'));
  if (archive === undefined) throw new Error('apt-get download left no package');
  await run('dpkg', ['-x', archive, 'unpacked'], { cwd: folder, timeout: timeoutMs });
  return join(folder, 'unpacked', binary);
}
