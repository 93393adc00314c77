import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readSettings } from '@sluice/testing/settings';
import { isMet, type Measure, tableOf } from './measure.ts';
import { busySentence, thisMachine } from './results/machine.ts';
import { keepResults } from './results/results-file.ts';

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

/** The same, or the floor of exact books. */
export const chosenSubjectOrFloor = () =>
  process.env['SUBJECT'] === 'floor' ? 'floor' : chosenSubject();

/**
 * Measures, prints the table, keeps the figures, and ends the process. It keeps them as `<name>-<time>.json`, and
 * under the name in the `results.json` of all benches. With `endsInJson` the last line is for programs. With `isGate`
 * the exit code is 1 when a target is missed.
 */
export async function runBench(
  name: string,
  measure: () => Promise<readonly Measure[]>,
  { endsInJson = false, isGate = false } = {},
): Promise<never> {
  const machine = thisMachine();
  const measures = await measure();
  const at = new Date().toISOString();
  const file = join(benchFolder, `${name}-${at.replaceAll(':', '-')}.json`);
  await mkdir(benchFolder, { recursive: true });
  await writeFile(file, `${JSON.stringify({ name, at, machine, measures }, null, 2)}\n`);
  await keepResults(benchFolder, { [name]: { at, machine, measures } });
  say(`\n${tableOf(measures)}\n`);
  say(`${machine.processors} × ${machine.model}, Node.js ${machine.node}; kept as ${file}`);
  const busy = busySentence(machine);
  if (busy !== undefined) say(busy);
  if (endsInJson) say(JSON.stringify({ name, measures }));
  process.exit(isGate && !measures.every(isMet) ? 1 : 0);
}
