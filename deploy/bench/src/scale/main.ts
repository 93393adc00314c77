import type { Instance } from '@sluice/acceptance/instance';
import { startUpstream } from '../harness/upstream/upstream.ts';
import {
  benchFolder as folder,
  runBench,
  showProgress as onProgress,
  wholeNumber,
} from '../program.ts';
import { startBenchInstance } from '../subjects/sluice/subject.ts';
import { inspectable } from './heap.ts';
import { scaleBench } from './scale-bench.ts';

/** `KEYS=1000000 npm run bench:scale`: 10,000 keys, ten times as many, and so on up to that. */
const firstStep = 10_000;
const keys = wholeNumber('KEYS', 100_000, firstStep);
const steps: number[] = [];
for (let step = firstStep; step < keys; step *= 10) steps.push(step);
steps.push(keys);
await runBench('scale', async () => {
  const upstream = await startUpstream();
  const environment = inspectable;
  const started = await startBenchInstance({ upstream, folder, environment }, 'all-in-one');
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
    return await scaleBench(options, (instance) => {
      running = instance;
    });
  } finally {
    await stop();
  }
});
