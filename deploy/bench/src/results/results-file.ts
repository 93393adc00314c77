import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Results = Readonly<Record<string, unknown>>;

/**
 * Puts these into `results.json` of the folder beside what other benches have put there: the fields that are
 * given replace those of the same name. Returns the path.
 */
export async function keepResults(folder: string, results: Results): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'results.json');
  const kept = { ...(await readResults(folder)), ...results };
  const written = `${file}.${process.pid}`;
  await writeFile(written, `${JSON.stringify(kept, null, 2)}\n`);
  await rename(written, file);
  return file;
}

/** Reads `results.json`. Empty when there are none, or when they cannot be read: they are made anew. */
export async function readResults(folder: string): Promise<Results> {
  const file = join(folder, 'results.json');
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? (found as Results) : {};
  } catch {
    return {};
  }
}
