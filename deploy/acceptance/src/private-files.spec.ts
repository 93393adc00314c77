import { deepEqual, equal, ok } from 'node:assert/strict';
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { json } from './http.ts';
import { type Instance, type Program, startInstance } from './instance.ts';

interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly isOurs: boolean;
}

/** Everything below a directory, itself included. What a server takes away meanwhile is left out. */
async function entriesOf(directory: string): Promise<readonly Entry[]> {
  const names = await readdir(directory, { recursive: true });
  const paths = [directory, ...names.map((name) => join(directory, name))];
  const entries = paths.map(async (path) => {
    const found = await lstat(path).catch(() => undefined);
    if (!found || found.isSymbolicLink()) return [];
    return [{ path, mode: found.mode & 0o777, isOurs: found.uid === process.getuid?.() }];
  });
  return (await Promise.all(entries)).flat();
}

/** Returns the files that group or others may access. */
async function openIn(directory: string): Promise<readonly string[]> {
  const entries = await entriesOf(directory);
  ok(entries.length > 500, `${entries.length} entries`);
  return entries
    .filter(({ mode }) => (mode & 0o077) !== 0)
    .map(({ path, mode }) => `${mode.toString(8)} ${relative(directory, path)}`);
}

async function startWithoutUmask(directory: string, program: Program): Promise<Instance> {
  const before = process.umask(0);
  try {
    return await startInstance({ SLUICE_DATA_DIR: directory }, program);
  } finally {
    process.umask(before);
  }
}

async function use(instance: Instance): Promise<void> {
  const body = { model: 'sim/echo', input: 'hello' };
  // The refusals of a busy machine are none of those that are tested.
  const patient = { ...instance, isShared: true } as const;
  equal((await json(patient, '/responses', { body })).status, 200);
}

describe('the data directory', () => {
  test('is closed to others with all that is in it, whatever the umask and whatever was there', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-private-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
    await mkdir(join(directory, 'eventstore'));
    await mkdir(join(directory, 'logs'));
    await writeFile(join(directory, 'logs', 'sluice.log'), '');
    await chmod(join(directory, 'logs', 'sluice.log'), 0o666);
    for (const path of ['eventstore', 'logs', '.']) await chmod(join(directory, path), 0o755);

    const first = await startWithoutUmask(directory, 'all-in-one');
    onTestFinished(() => first.dispose());
    await use(first);
    deepEqual(await openIn(directory), []);
    equal(await first.stop(), 0);

    // The modes are now as an earlier version with another umask would have left them. Processes run on it, and add to it.
    for (const { path, mode, isOurs } of await entriesOf(directory))
      if (isOurs) await chmod(path, mode | 0o055);
    const second = await startWithoutUmask(directory, 'processes');
    onTestFinished(() => second.dispose());
    await use(second);
    deepEqual(await openIn(directory), []);
  });
});
