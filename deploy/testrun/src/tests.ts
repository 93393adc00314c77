import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import { type Report, type Tally, tallyOf } from './tally.ts';

/** All Vitest projects in one run, counted from its JSON report. */
export async function runTests(): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-testrun-'));
  const file = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const code = await runCommand('vitest', ['run', ...reporters]);
    const report = await readFile(file, 'utf8').then(
      (text) => JSON.parse(text) as Report,
      () => undefined,
    );
    return tallyOf(report, code);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
