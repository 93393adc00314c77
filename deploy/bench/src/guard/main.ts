import { join } from 'node:path';
import { beforeAndAfterPlan, guardPlan } from '../comparison/plan.ts';
import { isRight, runComparison } from '../comparison/run-comparison.ts';
import { thisMachine } from '../results/machine.ts';
import { keepResults } from '../results/results-file.ts';
import { checksOf, passes, checkLines } from './guard.ts';

/**
 * `npm run bench:guard`: ends with 1 if Sluice is slower beside the bare proxy than the bounds allow.
 * `CHECKOUT=folder` measures the sources in that folder too, as `sluice-before`, with more rounds.
 */
const checkout = process.env['CHECKOUT'];
const folder = join(process.env['SLUICE_DATA_DIR'] || '.data', 'bench');
const report = await runComparison({
  folder,
  machine: thisMachine(),
  names: [
    'direct',
    'bare',
    ...(checkout ? (['sluice-before'] as const) : []),
    'sluice',
    'sluice-chat',
    'sluice-messages',
    'sluice-embeddings',
  ],
  plan: checkout ? beforeAndAfterPlan : guardPlan,
  settings: {},
  checkout,
  onLine: (line) => console.log(line),
});
const checks = checksOf(report.rows);
await keepResults(folder, { guard: { date: report.date, commit: report.commit, checks } });
console.log(`\n${checkLines(checks).join('\n')}`);
process.exit(isRight(report) && checks.every(passes) ? 0 : 1);
