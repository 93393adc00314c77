import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Instance } from '@sluice/acceptance/instance';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const program = join(root, 'deploy', 'cli', 'src', 'main.ts');
const timeoutMs = 120_000;

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** `npm run sluice -- …` as the operator of the instance runs it. */
export async function sluice(
  { dataDirectory }: Pick<Instance, 'dataDirectory'>,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ran> {
  const env = { ...process.env, SLUICE_DATA_DIR: dataDirectory, ...environment };
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...words],
      { env, timeout: timeoutMs },
      (error, out, errors) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, output: `${out}${errors}`.trim() });
      },
    );
  });
}
