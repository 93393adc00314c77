import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readSettings } from '@sluice/testing/settings';
import { withSurroundings } from '../comparison/surroundings.ts';
import { garbageSettings } from '../harness/garbage/garbage.ts';
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
const garbageFolder = join(folder, `garbage-${process.pid}`);
const found = await withSurroundings(
  {
    folder,
    names: ['direct', ...peers, subject],
    settings: garbageSettings(garbageFolder),
    onProgress: showProgress,
  },
  async (surroundings) => {
    // They share processors with what is measured: what they are late would seem to be its delay.
    await surroundings.pinning.goFirst([surroundings.load.pid, surroundings.upstream.pid]);
    return await sustainedBench({ surroundings, seconds, garbageFolder, onProgress: showProgress });
  },
);
await rm(garbageFolder, { recursive: true, force: true });
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
