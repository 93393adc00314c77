import { spawnSync } from 'node:child_process';

const daemon = spawnSync('docker', ['info', '--format', '{{.ServerVersion}}'], {
  encoding: 'utf8',
});
if (daemon.status !== 0) {
  const reason = daemon.error ? 'there is no docker command' : 'no Docker daemon answers';
  console.log(`Skipped: the suites on the real images need Docker, and ${reason} here.`);
  process.exit(0);
}
const run = spawnSync('vitest', ['run', '--project', 'containers'], { stdio: 'inherit' });
process.exit(run.status ?? 1);
