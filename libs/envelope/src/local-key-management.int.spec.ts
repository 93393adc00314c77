import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  appendFile,
  chmod,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { open, seal } from './envelope.ts';
import { KeyFileProblem } from './key-file.ts';
import { localKeyManagement } from './local-key-management.ts';
import { keyManagementContract } from './testing/key-management-contract.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-envelope-'));
  path = join(folder, 'secrets', 'envelope-keys');
});
afterEach(() => rm(folder, { recursive: true }));

const owner = { accountId: 'org_1', recordId: 'credential-1' };
const secret = Buffer.from('sk-upstream-secret');

keyManagementContract(async () => {
  const keys = await localKeyManagement(path);
  return {
    keys,
    rotate: () => keys.rotate(),
    async lose() {
      await rm(path);
      await localKeyManagement(path);
      // A process that still has the keys in memory would not notice.
      Object.assign(keys, await localKeyManagement(path));
    },
  };
});

describe('the key file', () => {
  test('is made once, for its owner alone, whoever starts at the same time', async () => {
    const starts = await Promise.all(Array.from({ length: 8 }, () => localKeyManagement(path)));
    const [first] = starts;
    if (!first) throw new Error('nothing was started');
    const envelope = await seal(first, owner, secret);
    for (const keys of starts) deepEqual(Buffer.from(await open(keys, owner, envelope)), secret);
    equal((await stat(path)).mode & 0o777, 0o600);
    deepEqual(await readdir(join(folder, 'secrets')), ['envelope-keys']);
    match(await readFile(path, 'utf8'), /^1 [A-Za-z0-9+/]{43}=\n$/);
  });

  test('keeps every version, also over a restart and in other processes', async () => {
    const one = await localKeyManagement(path);
    const other = await localKeyManagement(path);
    const first = await seal(one, owner, secret);
    await one.rotate();
    const second = await seal(one, owner, secret);
    await other.rotate();
    const third = await seal(other, owner, secret);
    const restarted = await localKeyManagement(path);
    for (const keys of [one, other, restarted])
      for (const envelope of [first, second, third])
        deepEqual(Buffer.from(await open(keys, owner, envelope)), secret);
    deepEqual(
      [first, second, third].map(({ keyVersion }) => keyVersion),
      ['1', '2', '3'],
    );
  });

  test('takes a key that was added by hand, and wraps by it from the next start on', async () => {
    const before = await seal(await localKeyManagement(path), owner, secret);
    await appendFile(path, `2 ${randomBytes(32).toString('base64')}\n`);
    const keys = await localKeyManagement(path);
    equal((await seal(keys, owner, secret)).keyVersion, '2');
    deepEqual(Buffer.from(await open(keys, owner, before)), secret);
  });

  test('is changed by one at a time', async () => {
    const one = await localKeyManagement(path);
    const other = await localKeyManagement(path);
    const results = await Promise.allSettled([one.rotate(), other.rotate()]);
    const refused = results.filter(({ status }) => status === 'rejected').length;
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    equal(lines.length, 3 - refused);
  });

  test('is refused when others may read it, or when it is damaged', async () => {
    await localKeyManagement(path);
    await chmod(path, 0o640);
    await rejects(localKeyManagement(path), KeyFileProblem);
    await chmod(path, 0o600);
    for (const text of ['', 'no key\n', `1 ${Buffer.alloc(16).toString('base64')}\n`]) {
      await writeFile(path, text);
      await rejects(localKeyManagement(path), KeyFileProblem);
    }
  });
});
