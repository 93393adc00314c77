import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory of the running test, removed when it is over. */
export async function scratchDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-spool-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
