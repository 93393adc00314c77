import { join } from 'node:path';
import { report } from '../report.ts';
import { thisMachine } from '../results/machine.ts';
import { managementBench } from './management-bench.ts';

/** `KEYS=10000 npm run bench:management` */
const keys = Number(process.env['KEYS'] || 10_000);
if (!Number.isSafeInteger(keys) || keys < 1) {
  console.error(`KEYS must be a whole number above 0, not '${process.env['KEYS']}'.`);
  process.exit(1);
}
const folder = join(process.env['SLUICE_DATA_DIR'] || '.data', 'bench');
const onProgress = (line: string) => console.log(`  ${line}`);
const machine = thisMachine();
const measures = await managementBench({ keys, onProgress });
await report(measures, { name: 'management', folder, machine });
process.exit();
