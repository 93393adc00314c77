import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { benchFolder } from './program.ts';

/** Makes a folder for the work on the disk that is measured with, and removes it afterwards. */
export async function withScratch<Result>(
  name: string,
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(benchFolder, { recursive: true });
  const directory = await mkdtemp(join(benchFolder, `${name}-`));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
