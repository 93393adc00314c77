import { withSurroundings } from '../comparison/surroundings.ts';
import {
  benchFolder as folder,
  chosenSubject,
  runBench,
  showProgress as onProgress,
  wholeNumber,
} from '../program.ts';
import { streamsBench } from './streams-bench.ts';

/** `STREAMS=1000 SECONDS=20 SUBJECT=sluice npm run bench:streams` */
const streams = wholeNumber('STREAMS', 1_000);
const seconds = wholeNumber('SECONDS', 20);
const name = chosenSubject();
await runBench(name === 'sluice' ? 'streams' : 'streams_two', () =>
  withSurroundings({ folder, names: [name], settings: {}, onProgress }, (surroundings) =>
    streamsBench({ surroundings, streams, seconds, onProgress }),
  ),
);
