import { readSettings } from '@sluice/testing/settings';
import { withSurroundings } from '../comparison/surroundings.ts';
import {
  benchFolder as folder,
  chosenSubjectOrFloor,
  say,
  showProgress as onProgress,
  wholeNumber,
} from '../program.ts';
import { busySentence, commitOf, thisMachine } from '../results/machine.ts';
import { keepResults } from '../results/results-file.ts';
import { subjectNames } from '../subjects/subject.ts';
import { starvedBench } from './starve.ts';
import { sustainedBench } from './sustained-bench.ts';
import { timetableFor } from './timetable.ts';

/**
 * `SECONDS=300 SUBJECT=sluice npm run bench:sustained`. The last line is JSON; exit code 0: some rate is sustained.
 * `STARVE=1`: the books get the processor last, for `SECONDS=60`; exit code 0: it degrades and does not collapse.
 * `QUICK=1` warms up for ten seconds only, to try the bench out.
 */
const isStarved = process.env['STARVE'] === '1';
const seconds = wholeNumber('SECONDS', isStarved ? 60 : 300);
const subject = chosenSubjectOrFloor();
const suffixes = { sluice: [], 'sluice-two': ['two'], floor: ['floor'] };
const isQuick = process.env['QUICK'] === '1';
const usualPeers = isQuick ? (['bare'] as const) : (['bare', 'portkey'] as const);
const peers = readSettings((given) => given.names('PEERS', subjectNames, [...usualPeers]));
const machine = thisMachine();
const { commit, found, isHeld } = await withSurroundings(
  {
    folder,
    names: ['direct', ...(isStarved ? [] : peers), subject],
    settings: {},
    onProgress,
  },
  async (surroundings) => {
    const { load, upstream, pinning, subjects } = surroundings;
    // They share processors with what is measured: what they are late would seem to be its delay.
    await pinning.goFirst([load.pid, upstream.pid]);
    // The floor is of this checkout, and tells no version.
    const adminUrl = subject === 'floor' ? undefined : subjects.at(-1)?.adminUrl;
    const runs = await commitOf(import.meta.dirname, adminUrl);
    const options = { surroundings, timetable: timetableFor(seconds, isQuick), onProgress };
    if (isStarved) {
      const starved = await starvedBench(options);
      return { commit: runs, found: { starved }, isHeld: starved.isHeld };
    }
    const sustained = await sustainedBench(options);
    return { commit: runs, found: sustained, isHeld: sustained.sustained_rps !== null };
  },
).catch((error: unknown) => ({
  commit: '',
  found: { sustained_rps: null, problem: error instanceof Error ? error.message : String(error) },
  isHeld: false,
}));
const about = {
  command: `make bench-sustained SECONDS=${seconds} SUBJECT=${subject}${isStarved ? ' STARVE=1' : ''}`,
  date: new Date().toISOString(),
  commit,
  machine,
};
const results = { ...about, seconds, subject, ...found };
const field = ['sustained', ...suffixes[subject], ...(isStarved ? ['starved'] : [])].join('_');
say(`Kept in ${await keepResults(folder, { [field]: results })}`);
const busy = busySentence(machine);
if (busy !== undefined) say(busy);
say(JSON.stringify(results));
process.exit(isHeld ? 0 : 1);
