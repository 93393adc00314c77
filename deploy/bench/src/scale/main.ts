import { resolve } from 'node:path';
import type { Instance } from '@sluice/acceptance/instance';
import { report } from '../report.ts';
import { thisMachine } from '../results/machine.ts';
import { startUpstream } from '../harness/upstream/upstream.ts';
import { startBenchInstance } from '../subjects/sluice/subject.ts';
import { inspectable } from './heap.ts';
import { scaleBench } from './scale-bench.ts';

/** `KEYS=1000000 npm run bench:scale`: 10,000 keys, ten times as many, and so on up to that. */
const firstStep = 10_000;
const keys = Number(process.env['KEYS'] || 100_000);
if (!Number.isSafeInteger(keys) || keys < firstStep) {
  console.error(`KEYS must be a whole number from ${firstStep}, not '${process.env['KEYS']}'.`);
  process.exit(1);
}
const steps: number[] = [];
for (let step = firstStep; step < keys; step *= 10) steps.push(step);
steps.push(keys);
const folder = resolve(process.env['SLUICE_DATA_DIR'] || '.data', 'bench');
const machine = thisMachine();
const onProgress = (line: string) => console.log(`  ${line}`);
const upstream = await startUpstream();
const started = await startBenchInstance(
  { upstream, folder, environment: inspectable },
  'all-in-one',
);
let running: Instance = started.instance;
const stop = async () => {
  await running.dispose();
  await started.stop();
  await upstream.stop();
};
const stopped = () => void stop().finally(() => process.exit(1));
process.once('SIGINT', stopped).once('SIGTERM', stopped);
try {
  const options = { instance: running, steps, guardrails: 10_000, onProgress };
  const measures = await scaleBench(options, (instance) => {
    running = instance;
  });
  await report(measures, { name: 'scale', folder, machine });
} finally {
  await stop();
}
process.exit();
