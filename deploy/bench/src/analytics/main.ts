import {
  benchFolder as folder,
  runBench,
  showProgress as onProgress,
  wholeNumber,
} from '../program.ts';
import { analyticsBench } from './analytics-bench.ts';
import { besideBench } from './beside-bench.ts';
import { visibleBench } from './visible-bench.ts';

/** `ROWS=1000000 npm run bench:analytics` */
const rows = wholeNumber('ROWS', 200_000, 1_000);
const spread = process.env['SPREAD'] === 'uniform' ? 'uniform' : 'usual';
const seconds = wholeNumber('SECONDS', 30, 5);
await runBench(
  'analytics',
  async () => [
    ...(await visibleBench({ folder, seconds, onProgress })),
    ...(await analyticsBench({ folder, rows, spread, onProgress })),
    // The last one: it keeps this process on one processor.
    ...(await besideBench({ folder, onProgress })),
  ],
  { endsInJson: true },
);
