import { withSurroundings } from '../comparison/surroundings.ts';
import { benchFolder, chosenSubject, say, wholeNumber } from '../program.ts';
import { busySentence, commitOf, thisMachine } from '../results/machine.ts';
import { keepResults } from '../results/results-file.ts';
import { overloadBench } from './overload-bench.ts';
import { thresholds, verdictOf } from './verdict.ts';

/** Measures, keeps the figures, and ends the process. The last line is JSON; exit code 0: all holds. */
export async function runOverload(): Promise<never> {
  const seconds = wholeNumber('SECONDS', 60);
  const isStreaming = process.env['STREAMING'] === '1';
  const name = chosenSubject();
  const machine = thisMachine();
  const { commit, figures } = await withSurroundings({ names: [name] }, async (surroundings) => ({
    commit: await commitOf(import.meta.dirname, surroundings.subjects[0]?.adminUrl),
    figures: await overloadBench(surroundings, { seconds, isStreaming }),
  }));
  const verdict = verdictOf(figures, { isStreaming });
  const about = {
    command: `make bench-overload SECONDS=${seconds} SUBJECT=${name}${isStreaming ? ' STREAMING=1' : ''}`,
    date: new Date().toISOString(),
    commit,
    machine,
  };
  const results = { ...about, seconds, subject: name, ...figures, ...verdict, thresholds };
  const field = `overload${name === 'sluice' ? '' : '_two'}${isStreaming ? '_streams' : ''}`;
  say(`Kept in ${await keepResults(benchFolder, { [field]: results })}`);
  const busy = busySentence(machine);
  if (busy !== undefined) say(busy);
  say(JSON.stringify(results));
  process.exit(verdict.isHeld ? 0 : 1);
}
