import type { Env } from './config.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const askingMsMax = 5_000;

/** Returns `SLUICE_COMMIT`, which images have, or the commit that git has checked out here. Empty: it is unknown. */
export async function runningCommit(env: Env, folder = import.meta.dirname): Promise<string> {
  const { SLUICE_COMMIT: given } = env;
  if (given) return given;
  const asked = run('git', ['rev-parse', 'HEAD'], { cwd: folder, timeout: askingMsMax });
  return await asked.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}
