import { benchFolder, runBench, say, showProgress } from '../program.ts';
import { measureCache } from './cache-bench.ts';
import { measureClassifier } from './classifier/classifier-bench.ts';
import { measureCompression } from './compression-bench.ts';
import { measureHealing } from './healing-bench.ts';
import { measureOutputs, outputsTable } from './outputs/outputs-bench.ts';

/** Measures the plugins and the response cache: `make bench-plugins`. */
const options = { folder: benchFolder, onProgress: showProgress };
say(outputsTable(await measureOutputs()).join('\n'));
await runBench(
  'plugins',
  async () => [
    ...measureClassifier(),
    ...measureHealing(),
    ...measureCompression(),
    ...(await measureCache(options)),
  ],
  { endsInJson: true },
);
