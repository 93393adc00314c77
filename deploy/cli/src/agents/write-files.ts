import { constants, copyFile, mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '@sluice/embedded';
import type { AgentFile } from './agent-files.ts';
import { merged } from './merge.ts';

/** A file as it will be. */
export interface Draft {
  readonly path: string;
  readonly text: string;
  readonly isNew: boolean;
}

/** Returns the files as they will be. Writes nothing. Throws FileNotUnderstood. */
export async function draftsOf(
  home: string,
  files: readonly AgentFile[],
): Promise<readonly Draft[]> {
  return await Promise.all(
    files.map(async (file) => {
      const named = join(home, file.path);
      // A link stays a link.
      const path = await realpath(named).catch(() => named);
      const existing = await readPrivateFile(path);
      return { path, text: merged(file, existing), isNew: existing === undefined };
    }),
  );
}

/** Writes a file, and keeps the one before beside it. Returns the path of that; undefined: there was none. */
export async function write({ path, text, isNew }: Draft, now: Date): Promise<string | undefined> {
  await mkdir(dirname(path), { recursive: true });
  const backup = `${path}.before-sluice-${now.toISOString().replaceAll(/[:.]/g, '-')}`;
  if (!isNew) await copyFile(path, backup, constants.COPYFILE_EXCL);
  await writePrivateFile(path, text);
  return isNew ? undefined : backup;
}
