import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandOptions, runCommand } from './command.ts';
import type { Report } from './tally.ts';
import { errorsFile } from './unhandled-errors.ts';

const reporter = join(import.meta.dirname, 'unhandled-errors.ts');

/** One run of Vitest. */
export interface VitestRun {
  readonly exitCode: number;
  /** If undefined, Vitest died before it wrote a report. */
  readonly report: Report | undefined;
  /** Errors that no test of the run has, each with its stack. */
  readonly unhandledErrors: readonly string[];
}

/** Runs all files, or the one that is named. */
export async function runVitest(
  files: readonly string[],
  options: CommandOptions,
): Promise<VitestRun> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-testrun-'));
  const file = join(folder, 'report.json');
  const reporters = ['default', 'json', reporter].map((name) => `--reporter=${name}`);
  try {
    const args = ['run', ...reporters, `--outputFile.json=${file}`, ...files];
    const exitCode = await runCommand('vitest', args, options);
    const read = (path: string) => readFile(path, 'utf8').catch(() => undefined);
    const report = await read(file);
    return {
      exitCode,
      report: report === undefined ? undefined : (JSON.parse(report) as Report),
      unhandledErrors: JSON.parse((await read(errorsFile(file))) ?? '[]') as string[],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
