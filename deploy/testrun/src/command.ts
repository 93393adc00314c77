import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..', '..');

/** The compile cache that all processes of a test share. */
const compiled = join(root, '.cache', 'compiled');
const path = [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);

export interface CommandOptions {
  /** The root of this repository when absent. */
  readonly cwd?: string;
  /** The output goes to this terminal when absent. */
  readonly output?: 'inherit' | 'ignore';
}

/** Runs a tool of this repository. Resolves with its exit code. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd = root, output = 'inherit' }: CommandOptions = {},
): Promise<number> {
  const child = spawn(command, [...args], {
    cwd,
    stdio: ['ignore', output, output],
    env: { NODE_COMPILE_CACHE: compiled, ...process.env, PATH: path },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
