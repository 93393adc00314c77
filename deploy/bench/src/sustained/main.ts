import { readSettings } from '@sluice/testing/settings';
import { withSurroundings } from '../comparison/surroundings.ts';
import {
  benchFolder as folder,
  chosenSubject,
  say,
  showProgress,
  wholeNumber,
} from '../program.ts';
import { busySentence, commitOf, thisMachine } from '../results/machine.ts';
import { keepResults } from '../results/results-file.ts';
import { subjectNames } from '../subjects/subject.ts';
import { sustainedBench } from './sustained-bench.ts';

/** `SECONDS=300 SUBJECT=sluice npm run bench:sustained`. The last line is JSON; exit code 0: some rate is sustained. */
const seconds = wholeNumber('SECONDS', 300);
const subject = chosenSubject();
const peers = readSettings((given) => given.names('PEERS', subjectNames, ['bare', 'portkey']));
const machine = thisMachine();
const found = await withSurroundings(
  {
    folder,
    names: ['direct', ...peers, subject],
    settings: {},
    onProgress: showProgress,
  },
  async (surroundings) => {
    // They share processors with what is measured: what they are late would seem to be its delay.
    await surroundings.pinning.goFirst([surroundings.load.pid, surroundings.upstream.pid]);
    return await sustainedBench({ surroundings, seconds, onProgress: showProgress });
  },
);
const about = {
  command: `make bench-sustained SECONDS=${seconds} SUBJECT=${subject}`,
  date: new Date().toISOString(),
  commit: await commitOf(import.meta.dirname),
  machine,
};
const results = { ...about, seconds, subject, ...found };
const field = subject === 'sluice' ? 'sustained' : 'sustained_two';
say(`Kept in ${await keepResults(folder, { [field]: results })}`);
const busy = busySentence(machine);
if (busy !== undefined) say(busy);
say(JSON.stringify(results));
process.exit(found.sustained_rps === null ? 1 : 0);
