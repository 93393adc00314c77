import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { createOutput } from '../output.ts';
import { perform } from '../perform.ts';

export interface Ended {
  readonly code: number | string | null | undefined;
  readonly out: string;
  readonly error: string;
}

const main = join(import.meta.dirname, '../main.ts');
/** Ends a command that hangs, before the test does. A busy machine takes minutes for a rebuild. */
const timeoutMs = 500_000;

/**
 * Runs the command line in this process, with these settings and no others: a process of its own takes a second of
 * the processor before it begins.
 */
export async function sluice(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended & { readonly code: number }> {
  const [out, error]: [string[], string[]] = [[], []];
  const into = (chunks: string[]) => ({ write: (text: string) => chunks.push(text) });
  const output = createOutput(into(out), into(error));
  const { signal } = new AbortController();
  const code = await perform(words, { env, output, signal });
  return { code, out: out.join(''), error: error.join('') };
}

/** Runs the command line as a process, with these settings and no others of ours. */
export async function sluiceProcess(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const options = { env: { ...bareEnvironment, ...env }, timeout: timeoutMs };
  return await new Promise((resolve) => {
    execFile(process.execPath, [main, ...words], options, (failure, out, error) => {
      resolve({ code: failure ? failure.code : 0, out, error });
    });
  });
}
