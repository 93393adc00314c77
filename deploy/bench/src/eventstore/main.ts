import { join } from 'node:path';
import { report } from '../report.ts';
import { thisMachine } from '../results/machine.ts';
import { eventStoreBench } from './eventstore-bench.ts';

/** `EVENTS=1000000 npm run bench:eventstore` */
const events = Number(process.env['EVENTS'] || 1_000_000);
if (!Number.isSafeInteger(events) || events < 1) {
  console.error(`EVENTS must be a whole number above 0, not '${process.env['EVENTS']}'.`);
  process.exit(1);
}
const folder = join(process.env['SLUICE_DATA_DIR'] || '.data', 'bench');
const onProgress = (line: string) => console.log(`  ${line}`);
const machine = thisMachine();
const measures = await eventStoreBench({ folder, events, onProgress });
await report(measures, { name: 'eventstore', folder, machine });
process.exit();
