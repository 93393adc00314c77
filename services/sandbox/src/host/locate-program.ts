import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

/** The installation of this checkout puts programs here: `libs/embedded`. */
const fetchedFolder = join(import.meta.dirname, '..', '..', '..', '..', '.cache', 'tools');

export interface WantedProgram {
  readonly name: string;
  /** The folder under `.cache/tools` that a fetched one lies in. */
  readonly folder: string;
  /** The path that a setting names. */
  readonly named: string | undefined;
}

/** Returns the path of a program: the named one, one on the PATH, or the fetched one. Undefined without any. */
export async function locateProgram(
  env: Readonly<Record<string, string | undefined>>,
  { name, folder, named }: WantedProgram,
): Promise<string | undefined> {
  if (named !== undefined) return (await isExecutable(named)) ? named : undefined;
  const folders = (env['PATH'] ?? '').split(':').filter(Boolean);
  const candidates = [...folders, '/usr/bin'].map((one) => join(one, name));
  for (const candidate of [...candidates, join(fetchedFolder, folder, name)])
    if (await isExecutable(candidate)) return candidate;
  return undefined;
}

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
