import { runBench, showProgress, wholeNumber } from '../program.ts';
import { managementBench } from './management-bench.ts';

/** `KEYS=10000 npm run bench:management` */
const keys = wholeNumber('KEYS', 10_000);
await runBench('management', () => managementBench({ keys, onProgress: showProgress }));
