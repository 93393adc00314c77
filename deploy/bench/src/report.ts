import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Measure, tableOf } from './measure.ts';
import { busySentence, type Machine } from './results/machine.ts';
import { keepResults } from './results/results-file.ts';

export interface ReportOptions {
  readonly name: string;
  readonly folder: string;
  readonly machine: Machine;
}

/**
 * Prints the table and keeps the same as `<name>-<time>.json` in the folder, and under its name in the
 * `results.json` that all benches share.
 */
export async function report(
  measures: readonly Measure[],
  { name, folder, machine }: ReportOptions,
): Promise<void> {
  const at = new Date().toISOString();
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name}-${at.replaceAll(':', '-')}.json`);
  await writeFile(file, `${JSON.stringify({ name, at, machine, measures }, null, 2)}\n`);
  await keepResults(folder, { [name]: { at, machine, measures } });
  process.stdout.write(`\n${tableOf(measures)}\n\n`);
  process.stdout.write(
    `${machine.processors} × ${machine.model}, Node.js ${machine.node}; kept as ${file}\n`,
  );
  const busy = busySentence(machine);
  if (busy !== undefined) process.stdout.write(`${busy}\n`);
}
