import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CpuProfile } from './pieces.ts';

/** Returns the profile that the main thread of a process has left. */
export async function profileOf(folder: string, pid: number): Promise<CpuProfile> {
  const names = await readdir(folder);
  const name = names.find((each) => each.includes(`.${pid}.0.`));
  if (name === undefined) throw new Error(`process ${pid} has left no profile`);
  return JSON.parse(await readFile(join(folder, name), 'utf8')) as CpuProfile;
}
