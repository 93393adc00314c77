import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWatchedProcess } from '@sluice/embedded';
import { mountObstacle } from './obstacle.ts';

/**
 * `CUTS=20 SEED=1 npm run test:powercut`, as root. What mounts is a process with mounts of its own: however
 * it ends, and when this one is killed, the kernel unmounts and frees the loop devices.
 */
const obstacle = await mountObstacle();
if (obstacle !== undefined) {
  console.log(`The power-cut test is skipped: ${obstacle}.`);
  console.log(JSON.stringify({ test: 'power-cut', skipped: obstacle }));
  process.exit(0);
}
const privateMounts = ['--mount', '--propagation', 'private'];
const folder = await mkdtemp(join(tmpdir(), 'sluice-power-cut-'));
const inside = await startWatchedProcess({
  name: 'the power-cut test',
  command: 'unshare',
  args: [...privateMounts, process.execPath, join(import.meta.dirname, 'inside.ts'), folder],
  stdio: 'inherit',
  stopSignal: 'SIGKILL',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => inside.child.kill('SIGKILL'));
await inside.exited;
const passed = inside.child.exitCode === 0;
if (passed || inside.child.signalCode !== null) await rm(folder, { recursive: true, force: true });
else console.error(`The disk is kept in ${folder}.`);
process.exit(passed ? 0 : 1);
