import { benchFolder as folder, runBench, showProgress as onProgress } from '../program.ts';
import { busBench } from './bus-bench.ts';
import { spoolBench } from './spool-bench.ts';

/** `npm run bench:spool` */
await runBench('spool', async () => [
  ...(await spoolBench({ folder, onProgress })),
  ...(await busBench({ folder, onProgress })),
]);
