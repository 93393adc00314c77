import { dirname, resolve } from 'node:path';
import { startSurroundings } from '../comparison/surroundings.ts';
import { busySentence, commitOf, thisMachine } from '../results/machine.ts';
import { keepResults } from '../results/results-file.ts';
import { overloadBench } from './overload-bench.ts';
import { thresholds, verdictOf } from './verdict.ts';

/** `SECONDS=60 SUBJECT=sluice STREAMING=1 npm run bench:overload`. The last line is JSON; exit code 0: all holds. */
const env = process.env;
const seconds = Number(env['SECONDS'] || 60);
const isStreaming = env['STREAMING'] === '1';
const name = env['SUBJECT'] === 'sluice-two' ? 'sluice-two' : 'sluice';
if (!Number.isSafeInteger(seconds) || seconds < 1) {
  console.error(`SECONDS must be a whole number above 0, not '${env['SECONDS']}'.`);
  process.exit(1);
}
const folder = resolve(env['SLUICE_DATA_DIR'] || '.data', 'bench');
const machine = thisMachine();
const onProgress = (line: string) => console.log(`  ${line}`);
const surroundings = await startSurroundings({ folder, names: [name], settings: {}, onProgress });
const stopped = () => void surroundings.stop().finally(() => process.exit(1));
process.once('SIGINT', stopped).once('SIGTERM', stopped);
try {
  const figures = await overloadBench({ surroundings, seconds, isStreaming, onProgress });
  const verdict = verdictOf(figures);
  const about = {
    command: `make bench-overload SECONDS=${seconds} SUBJECT=${name}${isStreaming ? ' STREAMING=1' : ''}`,
    date: new Date().toISOString(),
    commit: await commitOf(dirname(import.meta.dirname)),
    machine,
  };
  const results = { ...about, seconds, subject: name, ...figures, ...verdict, thresholds };
  const field = `overload${name === 'sluice' ? '' : '_two'}${isStreaming ? '_streams' : ''}`;
  console.log(`Kept in ${await keepResults(folder, { [field]: results })}`);
  const busy = busySentence(machine);
  if (busy !== undefined) console.log(busy);
  console.log(JSON.stringify(results));
  process.exitCode = verdict.isHeld ? 0 : 1;
} finally {
  await surroundings.stop();
}
process.exit();
