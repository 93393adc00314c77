import { resolve } from 'node:path';
import { startSurroundings } from '../comparison/surroundings.ts';
import { report } from '../report.ts';
import { thisMachine } from '../results/machine.ts';
import { vectorsBench } from './vectors-bench.ts';

/** `npm run bench:vectors` */
const folder = resolve(process.env['SLUICE_DATA_DIR'] || '.data', 'bench');
const machine = thisMachine();
const onProgress = (line: string) => console.log(`  ${line}`);
const names = ['sluice', 'sluice-embeddings'] as const;
const surroundings = await startSurroundings({ folder, names, settings: {}, onProgress });
try {
  await report(await vectorsBench(surroundings, onProgress), { name: 'vectors', folder, machine });
} finally {
  await surroundings.stop();
}
process.exit();
