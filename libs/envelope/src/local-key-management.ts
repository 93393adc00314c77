import { decrypt, encrypt } from './authenticated-cipher.ts';
import {
  changingAlone,
  KeyFileProblem,
  type KeyRing,
  makeKeyFile,
  newKey,
  readKeyFile,
  replaceKeyFile,
} from './key-file.ts';
import { type KeyManagement, UnreadableEnvelope } from './key-management.ts';

export interface LocalKeyManagement extends KeyManagement {
  /** Adds a version, which wraps from now on; the earlier ones still open. Resolves when it is on disk. */
  rotate(): Promise<void>;
}

/**
 * Key-encryption keys in a file of mode 0600, created on the first start. Without the file, sealed secrets
 * cannot be opened: back it up, apart from the database. Throws KeyFileProblem.
 */
export async function localKeyManagement(path: string): Promise<LocalKeyManagement> {
  await makeKeyFileUnlessThere(path);
  let keys = await keysOf(path);
  return {
    async wrap(dataKey, associatedData) {
      const version = newest(keys);
      return {
        keyVersion: String(version),
        wrapped: encrypt(keyOf(keys, version), dataKey, associatedData),
      };
    },
    async unwrap({ keyVersion, wrapped }, associatedData) {
      const version = Number(keyVersion);
      // Another process may have rotated since.
      if (!keys.has(version)) keys = await keysOf(path);
      return decrypt(keyOf(keys, version), wrapped, associatedData);
    },
    async newestVersion() {
      return String(newest(keys));
    },
    async rotate() {
      // Two at once would each write a file without the other's key, and what that one seals were lost.
      keys = await changingAlone(path, async () => {
        const onDisk = await keysOf(path);
        const next = new Map([...onDisk, [newest(onDisk) + 1, newKey()] as const]);
        await replaceKeyFile(path, next);
        return next;
      });
    },
  };
}

async function makeKeyFileUnlessThere(path: string): Promise<void> {
  if ((await readKeyFile(path)) === undefined) await makeKeyFile(path, new Map([[1, newKey()]]));
}

async function keysOf(path: string): Promise<KeyRing> {
  const keys = await readKeyFile(path);
  if (!keys) throw new KeyFileProblem(`${path} is gone: restore it from its copy.`);
  return keys;
}

function keyOf(keys: KeyRing, version: number): Uint8Array {
  const key = keys.get(version);
  if (!key) throw new UnreadableEnvelope('key_lost');
  return key;
}

function newest(keys: KeyRing): number {
  return Math.max(...keys.keys());
}
