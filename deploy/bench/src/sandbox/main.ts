import { benchFolder as folder, runBench, showProgress as onProgress } from '../program.ts';
import { sandboxBench } from './sandbox-bench.ts';

/** `npm run bench:sandbox` */
await runBench('sandbox', () => sandboxBench({ folder, onProgress }));
