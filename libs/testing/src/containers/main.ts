import { spawnSync } from 'node:child_process';
import { lastRun, recordRun } from './last-run.ts';

/** Runs the suites on the real images. It fails without Docker: a skipped run would look like a passed one. */
const daemon = spawnSync('docker', ['info', '--format', '{{.ServerVersion}}'], {
  encoding: 'utf8',
});
console.log(lastRun());
if (daemon.status !== 0) {
  const reason = daemon.error ? 'there is no docker command' : 'no Docker daemon answers';
  console.error(`The suites on the real images need Docker, and ${reason} here.`);
  process.exit(1);
}
const run = spawnSync('vitest', ['run', '--project', 'containers'], { stdio: 'inherit' });
if (run.status === 0) recordRun(new Date());
process.exit(run.status ?? 1);
