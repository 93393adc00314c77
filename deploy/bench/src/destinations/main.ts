import { readSettings } from '@sluice/testing/settings';
import { benchFolder as folder, runBench, showProgress, wholeNumber } from '../program.ts';
import { destinationsBench } from './destinations-bench.ts';

/** `RATE=1000 SECONDS=30 CONTENTS=none,sealed npm run bench:destinations` */
const perSecond = wholeNumber('RATE', 1_000, 1);
const seconds = wholeNumber('SECONDS', 30, 5);
const contents = readSettings((settings) => settings.names('CONTENTS', ['none', 'sealed']));
const options = { folder, perSecond, seconds, contents, onProgress: showProgress };
await runBench('destinations', () => destinationsBench(options), { endsInJson: true });
