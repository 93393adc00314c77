import { withSurroundings } from '../comparison/surroundings.ts';
import {
  benchFolder as folder,
  chosenSubject,
  showProgress as onProgress,
  wholeNumber,
} from '../program.ts';
import { busySentence, commitOf, thisMachine } from '../results/machine.ts';
import { keepResults } from '../results/results-file.ts';
import { overloadBench } from './overload-bench.ts';
import { thresholds, verdictOf } from './verdict.ts';

/** `SECONDS=60 SUBJECT=sluice STREAMING=1 npm run bench:overload`. The last line is JSON; exit code 0: all holds. */
const seconds = wholeNumber('SECONDS', 60);
const isStreaming = process.env['STREAMING'] === '1';
const name = chosenSubject();
const machine = thisMachine();
const { commit, figures } = await withSurroundings(
  { folder, names: [name], settings: {}, onProgress },
  async (surroundings) => ({
    commit: await commitOf(import.meta.dirname, surroundings.subjects[0]?.adminUrl),
    figures: await overloadBench({ surroundings, seconds, isStreaming, onProgress }),
  }),
);
const verdict = verdictOf(figures, { isStreaming });
const about = {
  command: `make bench-overload SECONDS=${seconds} SUBJECT=${name}${isStreaming ? ' STREAMING=1' : ''}`,
  date: new Date().toISOString(),
  commit,
  machine,
};
const results = { ...about, seconds, subject: name, ...figures, ...verdict, thresholds };
const field = `overload${name === 'sluice' ? '' : '_two'}${isStreaming ? '_streams' : ''}`;
console.log(`Kept in ${await keepResults(folder, { [field]: results })}`);
const busy = busySentence(machine);
if (busy !== undefined) console.log(busy);
console.log(JSON.stringify(results));
process.exit(verdict.isHeld ? 0 : 1);
