import { readSettings } from '@sluice/testing/settings';
import { benchFolder as folder, runBench, showProgress, wholeNumber } from '../program.ts';
import { destinationsBench } from './destinations-bench.ts';
import { latencyBench } from './latency-bench.ts';

/**
 * `RATE=1000 SECONDS=30 CONTENTS=none,sealed npm run bench:destinations`, or
 * `LATENCY=on RATE=200 SECONDS=5 ROUNDS=12 npm run bench:destinations`, which measures the requests instead.
 */
const measuresLatency = process.env['LATENCY'] === 'on';
const common = { folder, onProgress: showProgress };
if (measuresLatency) {
  const options = {
    ...common,
    perSecond: wholeNumber('RATE', 200),
    seconds: wholeNumber('SECONDS', 5),
    rounds: wholeNumber('ROUNDS', 12),
  };
  await runBench('destinations-latency', () => latencyBench(options), { endsInJson: true });
}
const perSecond = wholeNumber('RATE', 1_000, 1);
const seconds = wholeNumber('SECONDS', 30, 5);
const contents = readSettings((settings) => settings.names('CONTENTS', ['none', 'sealed']));
const options = { ...common, perSecond, seconds, contents };
await runBench('destinations', () => destinationsBench(options), { endsInJson: true });
