import { sluice as inThisProcess } from '@sluice/cli/testing';
import type { Instance } from './instance.ts';

/** Runs the command line on the instance's data directory. Returns its exit code, and what it printed. */
export async function sluice(
  { dataDirectory }: Pick<Instance, 'dataDirectory'>,
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  return await inThisProcess(words, { SLUICE_DATA_DIR: dataDirectory, ...more });
}

/** Lets commands call the API with the keys of this organization. Without it they take those of the first start. */
export function ofItsApi({ bootstrap }: Pick<Instance, 'bootstrap'>) {
  return {
    SLUICE_BASE_URL: bootstrap.base_url,
    SLUICE_MANAGEMENT_KEY: bootstrap.management_key,
    SLUICE_API_KEY: bootstrap.api_key,
  };
}
