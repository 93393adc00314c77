import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CpuProfile } from './pieces.ts';

/** Returns the profile of the process that did the work. */
export async function largestProfile(from: string): Promise<CpuProfile> {
  const paths = (await readdir(from)).map((name) => join(from, name));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const largest = paths[sizes.indexOf(Math.max(...sizes))];
  if (largest === undefined) throw new Error('Sluice has left no profile');
  return JSON.parse(await readFile(largest, 'utf8')) as CpuProfile;
}
