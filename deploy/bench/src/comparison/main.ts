import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readSettings } from '@sluice/testing/settings';
import { benchFolder } from '../program.ts';
import { keepResults, readResults } from '../results/results-file.ts';
import { sustainedLine } from '../results/sustained-line.ts';
import { subjectNames, usualNames } from '../subjects/subject.ts';
import { chartOf } from './chart.ts';
import { fullPlan, quickPlan } from './plan.ts';
import { isRight, runComparison } from './run-comparison.ts';

/** `QUICK=1 SVG=docs/images/bench.svg npm run bench`; `SUBJECTS=direct,bare,sluice,sluice-strict PROFILE=profiles` */
const env = process.env;
const wished = readSettings((given) => given.names('SUBJECTS', subjectNames, usualNames));
const names = subjectNames.filter((name) => wished.includes(name));
const settings: Record<string, string> = {};
if (env['PROFILE'])
  settings['NODE_OPTIONS'] = `--cpu-prof --cpu-prof-dir=${join(process.cwd(), env['PROFILE'])}`;
console.log(sustainedLine(await readResults(benchFolder)));
const report = await runComparison({
  names,
  plan: env['QUICK'] ? quickPlan : fullPlan,
  settings,
  checkout: env['CHECKOUT'],
});
// The results that others compare with are those of everybody, as they come.
const isWhole = names.join() === usualNames.join() && !env['PROFILE'];
const file = await keepResults(benchFolder, isWhole ? { ...report } : { partial: report });
console.log(`Kept in ${file}`);
if (env['SVG']) {
  await mkdir(dirname(env['SVG']), { recursive: true });
  await writeFile(env['SVG'], chartOf(report));
  console.log(`Drawn in ${env['SVG']}`);
}
process.exit(isRight(report) ? 0 : 1);
