import { join } from 'node:path';
import { report } from '../report.ts';
import { thisMachine } from '../results/machine.ts';
import { busBench } from './bus-bench.ts';
import { spoolBench } from './spool-bench.ts';

/** `npm run bench:spool` */
const folder = join(process.env['SLUICE_DATA_DIR'] || '.data', 'bench');
const onProgress = (line: string) => console.log(`  ${line}`);
const machine = thisMachine();
const measures = [
  ...(await spoolBench({ folder, onProgress })),
  ...(await busBench({ folder, onProgress })),
];
await report(measures, { name: 'spool', folder, machine });
process.exit();
