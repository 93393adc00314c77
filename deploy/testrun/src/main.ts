import { performance } from 'node:perf_hooks';
import { runCheck } from './check.ts';
import { writeReport } from './report.ts';
import { add, summary, type Tally } from './tally.ts';
import { runTests } from './tests.ts';

/** Every check and every test of the repository. The last line counts them. */
const checks: readonly (readonly [string, string, readonly string[]])[] = [
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['format', 'oxfmt', ['--check']],
  ['types', 'tsc', []],
  ['protos', 'buf', ['lint']],
];

const startedMs = performance.now();
let tally: Tally = { passed: 0, failed: 0, skipped: 0 };
const failedChecks: string[] = [];
for (const [name, command, args] of checks) {
  const checked = await runCheck(name, command, args);
  if (checked.failed > 0) failedChecks.push(name);
  tally = add(tally, checked);
}
const tests = await runTests();
tally = add(tally, tests);

const noTests = tests.passed + tests.failed === 0;
if (noTests) {
  console.error('No test ran.');
  tally = add(tally, { passed: 0, failed: 1, skipped: 0 });
}
console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s, ${tally.skipped} skipped`);
await writeReport({ ...tests, ...tally });
for (const { file } of tests.flaky) console.log(`flaky: ${file}`);
for (const name of failedChecks) console.log(`failed: ${name}`);
for (const error of tests.unhandled)
  console.log(`failed: outside of tests: ${error.split('\n', 4).join(' ')}`);
for (const { file, failures } of tests.broken)
  for (const failure of failures) console.log(`failed: ${file}: ${failure.split('\n')[0]}`);
console.log(summary(tally));
process.exitCode = tally.failed === 0 ? 0 : 1;
