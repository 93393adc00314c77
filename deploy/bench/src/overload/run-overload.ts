import { type Surroundings, withSurroundings } from '../comparison/surroundings.ts';
import { benchFolder, chosenSubjectOrFloor, say, wholeNumber } from '../program.ts';
import { busySentence, commitOf, thisMachine } from '../results/machine.ts';
import { keepResults } from '../results/results-file.ts';
import { overloadBench } from './overload-bench.ts';
import { thresholds, verdictOf } from './verdict.ts';

const suffixes = { sluice: '', 'sluice-two': '_two', floor: '_floor' } as const;

/**
 * `SECONDS=60 SUBJECT=sluice STREAMING=1 OFFERED=12000`. Measures, keeps the figures, and ends the process. The last
 * line is JSON; exit code 0: all holds.
 */
export async function runOverload(): Promise<never> {
  const seconds = wholeNumber('SECONDS', 60);
  const isStreaming = process.env['STREAMING'] === '1';
  const offeredPerSecond = wholeNumber('OFFERED', 0, 0) || undefined;
  const name = chosenSubjectOrFloor();
  const machine = thisMachine();
  const { commit, figures } = await withSurroundings({ names: [name] }, async (surroundings) => ({
    commit: await commitOf(import.meta.dirname, versionUrlOf(surroundings)),
    figures: await overloadBench(surroundings, { seconds, isStreaming, offeredPerSecond }),
  }));
  const verdict = verdictOf(figures, { isStreaming });
  const about = {
    command: [
      `make bench-overload SECONDS=${seconds} SUBJECT=${name}`,
      ...(isStreaming ? ['STREAMING=1'] : []),
      ...(offeredPerSecond === undefined ? [] : [`OFFERED=${offeredPerSecond}`]),
    ].join(' '),
    date: new Date().toISOString(),
    commit,
    machine,
  };
  const results = { ...about, seconds, subject: name, ...figures, ...verdict, thresholds };
  const field = `overload${suffixes[name]}${isStreaming ? '_streams' : ''}`;
  say(`Kept in ${await keepResults(benchFolder, { [field]: results })}`);
  const busy = busySentence(machine);
  if (busy !== undefined) say(busy);
  say(JSON.stringify(results));
  process.exit(verdict.isHeld ? 0 : 1);
}

/** The floor is of this checkout, and tells no version. */
function versionUrlOf({ subjects: [subject] }: Surroundings): string | undefined {
  return subject?.name === 'floor' ? undefined : subject?.adminUrl;
}
