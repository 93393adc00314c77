import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes a folder for the work on that disk and removes it afterwards. */
export async function withScratch<Result>(
  folder: string,
  name: string,
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true });
  const directory = await mkdtemp(join(folder, `${name}-`));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
