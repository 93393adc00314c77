import { join } from 'node:path';
import { thisMachine } from '../results/machine.ts';
import { subjectNames } from '../subjects/subject.ts';
import { fullPlan, quickPlan } from './plan.ts';
import { runComparison } from './run-comparison.ts';

/** `QUICK=1 SUBJECTS=direct,bare,sluice SVG=docs/images/bench.svg npm run bench` */
const env = process.env;
const wished = (env['SUBJECTS'] || subjectNames.join(',')).split(',');
const names = subjectNames.filter((name) => wished.includes(name));
if (names.length !== wished.length) {
  console.error(`SUBJECTS must be some of ${subjectNames.join(', ')}, not '${wished.join(',')}'.`);
  process.exit(1);
}
const isQuick = Boolean(env['QUICK']);
const isRight = await runComparison({
  folder: join(env['SLUICE_DATA_DIR'] || '.data', 'bench'),
  machine: thisMachine(),
  names,
  plan: isQuick ? quickPlan : fullPlan,
  settings: {
    ...(env['DURABILITY'] ? { SLUICE_DURABILITY: env['DURABILITY'] } : {}),
    ...(env['PROFILE']
      ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${join(process.cwd(), env['PROFILE'])}` }
      : {}),
  },
  svg: env['SVG'] || undefined,
  onLine: (line) => console.log(line),
});
process.exit(isRight ? 0 : 1);
