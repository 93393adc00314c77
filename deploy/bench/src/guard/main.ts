import { join } from 'node:path';
import { guardPlan } from '../comparison/plan.ts';
import { isRight, runComparison } from '../comparison/run-comparison.ts';
import { thisMachine } from '../results/machine.ts';
import { keepResults } from '../results/results-file.ts';
import { checksOf, passes, toldChecks } from './guard.ts';

/** `npm run bench:guard`: ends with 1 when Sluice has become slower beside the bare proxy than it may. */
const folder = join(process.env['SLUICE_DATA_DIR'] || '.data', 'bench');
const report = await runComparison({
  folder,
  machine: thisMachine(),
  names: ['direct', 'bare', 'sluice'],
  plan: guardPlan,
  settings: {},
  onLine: (line) => console.log(line),
});
const checks = checksOf(report.rows);
await keepResults(folder, { guard: { date: report.date, commit: report.commit, checks } });
console.log(`\n${toldChecks(checks).join('\n')}`);
process.exit(isRight(report) && checks.every(passes) ? 0 : 1);
