import { deepEqual, equal } from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, onTestFinished, test } from 'vitest';
import { closeToOthers, makePrivateDirectory } from './index.ts';

async function scratchDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-private-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('a private directory', () => {
  test('has mode 0700 whatever the umask is, with those above it', async () => {
    const above = join(await scratchDirectory(), 'a');
    const before = process.umask(0);
    try {
      await makePrivateDirectory(join(above, 'b', 'c'));
    } finally {
      process.umask(before);
    }
    for (const path of [above, join(above, 'b'), join(above, 'b', 'c')])
      equal(await modeOf(path), 0o700);
  });

  test('has it also when it was there with more', async () => {
    const directory = await scratchDirectory();
    await chmod(directory, 0o755);
    await makePrivateDirectory(directory);
    equal(await modeOf(directory), 0o700);
  });
});

describe('closing a directory to others', () => {
  test('leaves the owner what it had and others nothing, whatever the modes were', async () => {
    // The owner may always read: another user than root could not look into it otherwise.
    const mode = fc.integer({ min: 0, max: 0o377 }).map((bits) => bits | 0o400);
    const modes = fc.array(mode, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(modes, async (fileModes) => {
        const directory = await scratchDirectory();
        const below = join(directory, 'below');
        await mkdir(below);
        for (const [index, fileMode] of fileModes.entries()) {
          await writeFile(join(below, String(index)), '');
          await chmod(join(below, String(index)), fileMode);
        }
        await chmod(below, 0o755);
        await chmod(directory, 0o777);
        await closeToOthers(directory);
        deepEqual([await modeOf(directory), await modeOf(below)], [0o700, 0o700]);
        for (const [index, fileMode] of fileModes.entries())
          equal(await modeOf(join(below, String(index))), fileMode & 0o700);
      }),
      { numRuns: 30 },
    );
  });

  test('follows no link', async () => {
    const [directory, elsewhere] = [await scratchDirectory(), await scratchDirectory()];
    const target = join(elsewhere, 'target');
    await writeFile(target, '');
    await chmod(target, 0o644);
    await chmod(elsewhere, 0o755);
    await symlink(elsewhere, join(directory, 'directory'));
    await symlink(target, join(directory, 'file'));
    await closeToOthers(directory);
    deepEqual([await modeOf(elsewhere), await modeOf(target)], [0o755, 0o644]);
  });

  test('takes a directory that is not there as closed', async () => {
    await closeToOthers(join(await scratchDirectory(), 'missing'));
  });
});
