import { resolve } from 'node:path';
import { startSurroundings } from '../comparison/surroundings.ts';
import { report } from '../report.ts';
import { thisMachine } from '../results/machine.ts';
import { startSlowReaders } from './slow-readers.ts';
import { streamsBench } from './streams-bench.ts';

/** `STREAMS=1000 SECONDS=20 SUBJECT=sluice npm run bench:streams` */
const wholeNumber = (name: string, fallback: number): number => {
  const given = process.env[name] || String(fallback);
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
  console.error(`${name} must be a whole number above 0, not '${given}'.`);
  process.exit(1);
};
const streams = wholeNumber('STREAMS', 1_000);
const seconds = wholeNumber('SECONDS', 20);
const name = process.env['SUBJECT'] === 'sluice-two' ? 'sluice-two' : 'sluice';
const folder = resolve(process.env['SLUICE_DATA_DIR'] || '.data', 'bench');
const machine = thisMachine();
const onProgress = (line: string) => console.log(`  ${line}`);
const surroundings = await startSurroundings({ folder, names: [name], settings: {}, onProgress });
const readers = await startSlowReaders();
const stop = () => Promise.allSettled([readers.stop(), surroundings.stop()]);
const stopped = () => void stop().finally(() => process.exit(1));
process.once('SIGINT', stopped).once('SIGTERM', stopped);
try {
  const measures = await streamsBench({ surroundings, readers, streams, seconds, onProgress });
  await report(measures, { name: name === 'sluice' ? 'streams' : 'streams_two', folder, machine });
} finally {
  await stop();
}
process.exit();
