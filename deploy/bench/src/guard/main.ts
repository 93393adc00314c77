import { beforeAndAfterPlan, guardPlan } from '../comparison/plan.ts';
import { isRight, runComparison } from '../comparison/run-comparison.ts';
import { benchFolder } from '../program.ts';
import { keepResults } from '../results/results-file.ts';
import { checksOf, passes, checkLines } from './guard.ts';

/**
 * `npm run bench:guard`: ends with 1 if Sluice is slower beside the bare proxy than the bounds allow.
 * `CHECKOUT=folder` measures the sources in that folder too, as `sluice-before`, with more rounds.
 */
const checkout = process.env['CHECKOUT'];
const report = await runComparison({
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
});
const checks = checksOf(report.rows);
await keepResults(benchFolder, { guard: { date: report.date, commit: report.commit, checks } });
console.log(`\n${checkLines(checks).join('\n')}`);
process.exit(isRight(report) && checks.every(passes) ? 0 : 1);
