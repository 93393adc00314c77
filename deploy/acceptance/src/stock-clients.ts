import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bareEnvironment } from '@sluice/testing/bare-environment';

/** A folder from which programs import one major version of the packages of others. */
export interface StockClients {
  readonly name: string;
  readonly folder: string;
  /** Returns true if all that a program imports is installed there in that version. */
  readonly has: (program: string) => boolean;
}

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

const deploy = new URL('../../', import.meta.url);
const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
/** Ends a program that hangs. */
const hangMs = 300_000;

function clientsAt(name: string, folder: string, ...manifests: readonly string[]): StockClients {
  const known = new Set(
    manifests.flatMap((manifest) => {
      const text = readFileSync(new URL(`${manifest}/package.json`, deploy), 'utf8');
      return Object.keys((JSON.parse(text) as Manifest).devDependencies);
    }),
  );
  return {
    name,
    folder: fileURLToPath(new URL(folder, deploy)),
    has: (program) =>
      [...program.matchAll(/^import [^']*'([^']+)';$/gm)].every(([, from = '']) => known.has(from)),
  };
}

/** The three newest major versions. Packages that the root has are used by other tests, too. */
export const stockClients: readonly StockClients[] = [
  clientsAt('the newest major', 'acceptance', 'acceptance', '..'),
  clientsAt('the major before', 'stock-clients/one-major-back', 'stock-clients/one-major-back'),
  clientsAt(
    'the one before that',
    'stock-clients/two-majors-back',
    'stock-clients/two-majors-back',
  ),
];

/** Runs the text of a module in a process of its own, in a folder whose packages it imports. Returns its output. */
export async function runProgram(
  text: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', text],
    { cwd, env: { ...bareEnvironment, PATH: path, ...env }, timeout: hangMs },
  );
  return stdout;
}
