import { type CommandOptions, root } from './command.ts';
import { failuresOf, type Report, type Tally, tallyOf } from './tally.ts';
import { runVitest, type VitestRun } from './vitest-run.ts';

/** The failures of a file. */
export interface FailedFile {
  readonly file: string;
  readonly failures: readonly string[];
}

export interface Tests extends Tally {
  /** Files that failed among the others and passed alone. They count as passed. */
  readonly flaky: readonly FailedFile[];
  /** Files that failed. */
  readonly broken: readonly FailedFile[];
  /** Errors that no test has. One fails the run. */
  readonly unhandled: readonly string[];
  /** The files that took longest, the slowest first, and when each began. */
  readonly slowest: readonly SlowFile[];
}

interface SlowFile {
  readonly file: string;
  readonly seconds: number;
  /** Since the first file began. */
  readonly fromSeconds: number;
}

const slowestMax = 60;

/** More failed files than that have one cause, and none of them is run again. */
const againMax = 20;

/**
 * Runs all tests. Then each file that failed is run once more, alone: a load of other tests is no reason to fail, and a
 * file that fails only under load is named as flaky.
 */
export async function runTests(options: CommandOptions = {}): Promise<Tests> {
  const all = await runVitest([], options);
  const failed = filesOf(all.report).filter(({ status }) => status === 'failed');
  const passed = new Map<string, Report['testResults'][number]>();
  for (const { name } of failed.length > againMax ? [] : failed) {
    if (options.output !== 'ignore') console.log(`\nAgain, alone: ${name}`);
    const again = passedFile(await runVitest([name], options), name);
    if (again) passed.set(name, again);
  }
  const { cwd = root } = options;
  const short = (name: string) => name.replace(`${cwd}/`, '');
  const shown = failed.map((file) => ({
    name: file.name,
    shown: { file: short(file.name), failures: failuresOf(file) },
  }));
  return {
    ...tallyOf(
      all.report && {
        testResults: filesOf(all.report).map((file) => passed.get(file.name) ?? file),
      },
      exitCodeOf(all, failed.length),
    ),
    flaky: shown.filter(({ name }) => passed.has(name)).map((one) => one.shown),
    broken: shown.filter(({ name }) => !passed.has(name)).map((one) => one.shown),
    unhandled: all.unhandledErrors,
    slowest: slowestOf(filesOf(all.report), short),
  };
}

function slowestOf(
  files: Report['testResults'],
  short: (name: string) => string,
): readonly SlowFile[] {
  const firstMs = Math.min(...files.map(({ startTime }) => startTime));
  return files
    .map(({ name, startTime, endTime }) => ({
      file: short(name),
      seconds: Math.round((endTime - startTime) / 1000),
      fromSeconds: Math.round((startTime - firstMs) / 1000),
    }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, slowestMax);
}

function filesOf(report: Report | undefined): Report['testResults'] {
  return report?.testResults ?? [];
}

/** Returns the result of a file that was run alone. undefined: it did not pass. */
function passedFile(
  { exitCode, report }: VitestRun,
  name: string,
): Report['testResults'][number] | undefined {
  const file = filesOf(report).find((one) => one.name === name);
  return exitCode === 0 && file?.status === 'passed' ? file : undefined;
}

/** Failed files explain an exit code, and are counted apart. An error that no file has is a failure of the run. */
function exitCodeOf({ exitCode, unhandledErrors }: VitestRun, failedFiles: number): number {
  return failedFiles > 0 && unhandledErrors.length === 0 ? 0 : exitCode;
}
