import type { Measure } from '../measure.ts';
import { say } from '../program.ts';
import { measureCache } from './cache-bench.ts';
import { measureClassifier } from './classifier/classifier-bench.ts';
import { measureCompression } from './compression-bench.ts';
import { measureHealing } from './healing-bench.ts';
import { measureOutputs, outputsTable } from './outputs/outputs-bench.ts';

/** Measures the plugins and the response cache. */
export async function measurePlugins(): Promise<readonly Measure[]> {
  say(outputsTable(await measureOutputs()).join('\n'));
  return [
    ...measureClassifier(),
    ...measureHealing(),
    ...measureCompression(),
    ...(await measureCache()),
  ];
}
