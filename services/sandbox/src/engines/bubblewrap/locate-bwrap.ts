import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

/** The installation of this checkout puts it here: `libs/embedded`. */
const fetched = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  '..',
  '.cache',
  'tools',
  'bubblewrap',
  'bwrap',
);

/** Returns the path of bwrap: the named one, one on the PATH, or the one that was fetched. Undefined without any. */
export async function locateBwrap(
  env: Readonly<Record<string, string | undefined>>,
  named: string | undefined,
): Promise<string | undefined> {
  if (named !== undefined) return (await isExecutable(named)) ? named : undefined;
  const folders = (env['PATH'] ?? '').split(':').filter(Boolean);
  const candidates = [...folders, '/usr/bin'].map((folder) => join(folder, 'bwrap'));
  for (const candidate of [...candidates, fetched])
    if (await isExecutable(candidate)) return candidate;
  return undefined;
}

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
