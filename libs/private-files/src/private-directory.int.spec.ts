import { deepEqual, rejects } from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { makePrivateDirectory } from './private-directory.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-private-'));
});
afterAll(() => rm(root, { recursive: true }));

describe('private directories', () => {
  test('are made side by side below parents that are missing for all of them', async () => {
    for (let round = 0; round < 200; round++) {
      const paths = ['a', 'b', 'c', 'd'].map((name) => join(root, `${round}`, 'data', name));
      await Promise.all(paths.map((path) => makePrivateDirectory(path)));
      const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777));
      deepEqual(modes, [0o700, 0o700, 0o700, 0o700]);
    }
  });

  test('cannot be made where nothing can be', async () => {
    await rejects(makePrivateDirectory('/proc/sluice/data'), { code: 'ENOENT' });
  });
});
