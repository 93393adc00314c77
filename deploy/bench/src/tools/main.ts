import { benchFolder, runBench, showProgress, wholeNumber } from '../program.ts';
import { measureTools } from './tools-bench.ts';

/** Measures what a loop of server tools costs beside its requests, and what it costs others: `make bench-tools`. */
const loops = wholeNumber('LOOPS', 600);
const measure = () => measureTools({ folder: benchFolder, loops, progress: showProgress });
await runBench('tools', measure, { endsInJson: true });
