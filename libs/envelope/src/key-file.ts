import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The key-encryption keys of one installation, by version; the highest one wraps. */
export type KeyRing = ReadonlyMap<number, Uint8Array>;

/** A key file that must not be used as it is; the message says what to do. */
export class KeyFileProblem extends Error {
  override readonly name = 'KeyFileProblem';
}

const keyBytes = 32;
const linePattern = /^([1-9]\d{0,8}) ([A-Za-z0-9+/]{43}=)$/;

export const newKey = (): Uint8Array => randomBytes(keyBytes);

/** The keys of a file; undefined when there is none. Throws KeyFileProblem. */
export async function readKeyFile(path: string): Promise<KeyRing | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0)
    throw new KeyFileProblem(`${path} can be read by others: set its mode to 0600.`);
  const keys = new Map<number, Uint8Array>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, version, key] = linePattern.exec(line) ?? [];
    if (version === undefined || key === undefined)
      throw new KeyFileProblem(`${path} has a line that is no key: restore it from its copy.`);
    keys.set(Number(version), Buffer.from(key, 'base64'));
  }
  if (keys.size === 0) throw new KeyFileProblem(`${path} is empty: restore it from its copy.`);
  return keys;
}

/**
 * Makes the file unless there is one, also if another process does the same. Returns false if there was one. When it
 * returns true, the file is on disk.
 */
export async function makeKeyFile(path: string, keys: KeyRing): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = await writeBeside(path, keys);
  try {
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(temporary);
  }
  await syncFolder(path);
  return true;
}

/** Puts these keys in the place of the file's: after a crash it has the old ones or the new. */
export async function replaceKeyFile(path: string, keys: KeyRing): Promise<void> {
  await rename(await writeBeside(path, keys), path);
  await syncFolder(path);
}

/** Throws KeyFileProblem while another process changes the file. */
export async function changingAlone<Result>(
  path: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const lock = `${path}.lock`;
  const held = await open(lock, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST')
      throw new KeyFileProblem(`${path} is being changed; if it is not, remove ${lock}.`);
    throw error;
  });
  try {
    return await change();
  } finally {
    await held.close();
    await unlink(lock);
  }
}

async function writeBeside(path: string, keys: KeyRing): Promise<string> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.new`;
  const lines = [...keys].map(
    ([version, key]) => `${version} ${Buffer.from(key).toString('base64')}\n`,
  );
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(lines.join(''));
    await file.sync();
  } finally {
    await file.close();
  }
  return temporary;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
