import { mkdtemp, rm } from 'node:fs/promises';
import { headlineCell } from '../comparison/plan.ts';
import { isRight, runComparison } from '../comparison/run-comparison.ts';
import { benchFolder } from '../program.ts';
import { keepResults } from '../results/results-file.ts';
import { largestProfile } from './largest-profile.ts';
import { piecesOf } from './pieces.ts';

/** `npm run bench:profile`: what a request costs, piece by piece; the pieces sum to the processor time of the row. */
const isStreaming = Boolean(process.env['STREAMING']);
const profiles = await mkdtemp(`${benchFolder}-profile-`);
const cell = { ...headlineCell, isStreaming, closedMs: 10_000, openMs: 200 };
const report = await runComparison({
  names: ['bare', 'sluice'],
  plan: { cells: [cell], rounds: 2, budgetMs: 120_000, warmUpMsMax: 60_000 },
  settings: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` },
});
const row = report.rows.find(({ name }) => name === 'sluice');
const costUs = row?.cpu_us_per_request ?? 0;
const pieces = piecesOf(await largestProfile(profiles)).map(({ name, share }) => ({
  name,
  share,
  cpu_us_per_request: share * costUs,
}));
await rm(profiles, { recursive: true });
console.log('\nµs per request  share');
for (const { name, share, cpu_us_per_request } of pieces.filter((one) => one.share >= 0.002))
  console.log(
    `${cpu_us_per_request.toFixed(1).padStart(14)}  ${(share * 100).toFixed(1).padStart(4)} %  ${name}`,
  );
await keepResults(benchFolder, {
  profile: { date: report.date, commit: report.commit, cell, pieces },
});
process.exit(isRight(report) ? 0 : 1);
