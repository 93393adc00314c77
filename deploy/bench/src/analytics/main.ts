import {
  benchFolder as folder,
  runBench,
  showProgress as onProgress,
  wholeNumber,
} from '../program.ts';
import { analyticsBench } from './analytics-bench.ts';

/** `ROWS=1000000 npm run bench:analytics` */
const rows = wholeNumber('ROWS', 200_000, 1_000);
const spread = process.env['SPREAD'] === 'uniform' ? 'uniform' : 'usual';
await runBench('analytics', () => analyticsBench({ folder, rows, spread, onProgress }), {
  endsInJson: true,
});
