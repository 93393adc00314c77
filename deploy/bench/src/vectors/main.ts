import { withSurroundings } from '../comparison/surroundings.ts';
import { benchFolder as folder, runBench, showProgress as onProgress } from '../program.ts';
import { vectorsBench } from './vectors-bench.ts';

/** `npm run bench:vectors` */
const options = {
  folder,
  names: ['sluice', 'sluice-embeddings'],
  settings: {},
  onProgress,
} as const;
await runBench('vectors', () =>
  withSurroundings(options, (surroundings) => vectorsBench(surroundings, onProgress)),
);
