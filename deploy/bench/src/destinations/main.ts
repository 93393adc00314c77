import { benchFolder as folder, runBench, showProgress, wholeNumber } from '../program.ts';
import { destinationsBench } from './destinations-bench.ts';

/** `RATE=1000 SECONDS=30 npm run bench:destinations` */
const perSecond = wholeNumber('RATE', 1_000, 1);
const seconds = wholeNumber('SECONDS', 30, 5);
const options = { folder, perSecond, seconds, onProgress: showProgress };
await runBench('destinations', () => destinationsBench(options), { endsInJson: true });
