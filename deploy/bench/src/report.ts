import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Measure, tableOf } from './measure.ts';

export interface ReportOptions {
  readonly name: string;
  readonly folder: string;
  /** How many wanted to run before anything was measured: others take from what is measured. */
  readonly loadBefore: number;
}

const quietLoadPerProcessor = 0.25;

/** Prints the table and keeps the same as `<name>-<time>.json` in the folder. */
export async function report(
  measures: readonly Measure[],
  { name, folder, loadBefore }: ReportOptions,
): Promise<void> {
  const at = new Date().toISOString();
  const machine = {
    processors: cpus().length,
    model: cpus()[0]?.model ?? '',
    memoryBytes: totalmem(),
    kernel: release(),
    node: process.version,
    loadBefore,
  };
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name}-${at.replaceAll(':', '-')}.json`);
  await writeFile(file, `${JSON.stringify({ name, at, machine, measures }, null, 2)}\n`);
  process.stdout.write(`\n${tableOf(measures)}\n\n`);
  process.stdout.write(
    `${machine.processors} × ${machine.model}, Node.js ${machine.node}; kept as ${file}\n`,
  );
  if (loadBefore > quietLoadPerProcessor * machine.processors)
    process.stdout.write(
      `The machine was busy with something else: a load of ${loadBefore.toFixed(1)} before the start.\n`,
    );
}
