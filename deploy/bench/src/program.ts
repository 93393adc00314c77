import { resolve } from 'node:path';
import { readSettings } from '@sluice/testing/settings';
import type { Measure } from './measure.ts';
import { report } from './report.ts';
import { thisMachine } from './results/machine.ts';

/** The folder in which benches keep their results and scratch files. */
export const benchFolder = resolve(process.env['SLUICE_DATA_DIR'] || '.data', 'bench');

/** Writes a line of these words. */
export const say = (...words: readonly string[]) =>
  void process.stdout.write(`${words.join(' ')}\n`);
export const showProgress = (line: string) => say(`  ${line}`);

/** Reads a whole number from the environment. A wrong one ends the process. */
export const wholeNumber = (name: string, fallback: number, least = 1) =>
  readSettings((settings) => settings.wholeNumber(name, fallback, least));

/** Returns the subject that `SUBJECT` chooses. */
export const chosenSubject = () =>
  process.env['SUBJECT'] === 'sluice-two' ? 'sluice-two' : 'sluice';

/** Measures, reports and ends the process. `endsInJson`: the last line is for programs. */
export async function runBench(
  name: string,
  measure: () => Promise<readonly Measure[]>,
  { endsInJson = false } = {},
): Promise<never> {
  const machine = thisMachine();
  const measures = await measure();
  await report(measures, { name, folder: benchFolder, machine });
  if (endsInJson) say(JSON.stringify({ name, measures }));
  process.exit();
}
