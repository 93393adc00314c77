import { readRecordings } from './recording.ts';
import { replay } from './replay.ts';

/** `make replay DIR=folder`. The last line is JSON; the exit code is 0 only when all answers pass. */
const directory = process.env['DIR'];
if (!directory) {
  console.error('DIR must name a folder of recorded answers, as in `make replay DIR=recordings`');
  process.exit(2);
}
const { recordings, unread } = await readRecordings(directory);
for (const { name, reason } of unread) console.log(`NO ANSWER  ${name}: ${reason}`);
const verdicts = await replay(recordings, ({ name, findings }) => {
  console.log(`${findings.length === 0 ? 'passed' : 'FAILED'}  ${name}`);
  for (const finding of findings) console.log(`  NOT SO: ${finding}`);
});
const failed = verdicts.filter(({ findings }) => findings.length > 0).length;
const answers = verdicts.length;
console.log(
  JSON.stringify({ answers, passed: answers - failed, failed, no_answers: unread.length }),
);
process.exit(answers > 0 && failed === 0 ? 0 : 1);
