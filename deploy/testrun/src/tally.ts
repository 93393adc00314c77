export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function add(one: Tally, other: Tally): Tally {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

/** The line that everything that runs the tests reads. */
export function summary({ passed, failed }: Tally): string {
  return `${passed} passed, ${failed} failed`;
}

/** The part of Vitest's JSON report that is counted. */
export interface Report {
  readonly testResults: readonly {
    /** The path of the test file. */
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    /** Why it failed outside of its tests. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

/** Returns the failed tests of a file with their messages, or why the file did not load. */
export function failuresOf({
  message,
  assertionResults,
}: Report['testResults'][number]): readonly string[] {
  const tests = assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${(failureMessages ?? []).join('\n')}`);
  return tests.length > 0 ? tests : [message];
}

/**
 * Counts each test. A file that fails outside its tests (it does not load, a hook throws) is one
 * failure more; so is a run that ends badly without any failure in its report, or without a report.
 */
export function tallyOf(report: Report | undefined, exitCode: number): Tally {
  const files = report?.testResults ?? [];
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const count = (...statuses: readonly string[]) =>
    tests.filter(({ status }) => statuses.includes(status)).length;
  const brokenFiles = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = count('failed') + brokenFiles;
  const passed = count('passed');
  return {
    passed,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: tests.length - passed - count('failed'),
  };
}
