import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './command.ts';
import type { Tests } from './tests.ts';

const folder = join(root, '.cache', 'testrun');

/** Writes what the run counted, and why files failed, to `.cache/testrun/report.json`. */
export async function writeReport(report: Tests): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
}
