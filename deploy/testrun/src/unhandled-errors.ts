import { writeFileSync } from 'node:fs';
import type { Reporter, Vitest } from 'vitest/node';

/** Returns the file beside the JSON report, which has no errors outside of tests. */
export function errorsFile(reportFile: string): string {
  return `${reportFile}.errors`;
}

/** Writes the errors of a run that belong to no test, as a list of texts. Vitest loads it by its path. */
export default class UnhandledErrors implements Reporter {
  #file: string | undefined;

  onInit({ config: { outputFile } }: Vitest): void {
    const file = typeof outputFile === 'string' ? outputFile : outputFile?.['json'];
    this.#file = file && errorsFile(file);
  }

  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (_modules, errors) => {
    const texts = errors.map(({ stack, message }) => stack ?? message);
    if (this.#file !== undefined) writeFileSync(this.#file, JSON.stringify(texts));
  };
}
