import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Measure, tableOf } from './measure.ts';

/** Prints the table and keeps the same as `<name>-<time>.json` in the folder. */
export async function report(
  name: string,
  measures: readonly Measure[],
  folder: string,
): Promise<void> {
  const at = new Date().toISOString();
  const machine = {
    processors: cpus().length,
    model: cpus()[0]?.model ?? '',
    memoryBytes: totalmem(),
    kernel: release(),
    node: process.version,
  };
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name}-${at.replaceAll(':', '-')}.json`);
  await writeFile(file, `${JSON.stringify({ name, at, machine, measures }, null, 2)}\n`);
  process.stdout.write(`\n${tableOf(measures)}\n\n`);
  process.stdout.write(
    `${machine.processors} × ${machine.model}, Node.js ${machine.node}; kept as ${file}\n`,
  );
}
