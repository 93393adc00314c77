import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import type { Instance } from './instance.ts';

const main = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));
/** Ends a command that hangs, before the test does. A busy machine takes minutes for a rebuild. */
const timeoutMs = 500_000;

/** The command line on the instance's data directory: its exit code, and what it said. */
export async function sluice(
  { dataDirectory }: Pick<Instance, 'dataDirectory'>,
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const env = { ...bareEnvironment, SLUICE_DATA_DIR: dataDirectory, ...more };
  return await new Promise((resolve) => {
    execFile(process.execPath, [main, ...words], { env, timeout: timeoutMs }, (ended, out, error) =>
      resolve({ code: ended ? Number(ended.code ?? -1) : 0, out, error }),
    );
  });
}
