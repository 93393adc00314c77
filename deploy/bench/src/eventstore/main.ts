import { benchFolder as folder, runBench, showProgress, wholeNumber } from '../program.ts';
import { eventStoreBench } from './eventstore-bench.ts';

/** `EVENTS=1000000 npm run bench:eventstore` */
const events = wholeNumber('EVENTS', 1_000_000);
await runBench('eventstore', () => eventStoreBench({ folder, events, onProgress: showProgress }));
