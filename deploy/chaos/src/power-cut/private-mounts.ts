import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWatchedProcess } from '@sluice/embedded';
import { mountObstacle } from './obstacle.ts';

/**
 * Runs a program, given a folder of its own, in a process with mounts of its own: however it ends, and when
 * this one is killed, the kernel unmounts and frees the loop devices. Where nothing can be mounted it
 * says so. Ends this process with its exit code; the folder is kept when it failed.
 */
export async function runWithPrivateMounts(test: string, program: string): Promise<never> {
  const obstacle = await mountObstacle();
  if (obstacle !== undefined) {
    say(`The ${test} test is skipped: ${obstacle}.`);
    say(JSON.stringify({ test, skipped: obstacle }));
    process.exit(0);
  }
  const privateMounts = ['--mount', '--propagation', 'private'];
  const folder = await mkdtemp(join(tmpdir(), `sluice-${test}-`));
  const inside = await startWatchedProcess({
    name: `the ${test} test`,
    command: 'unshare',
    args: [...privateMounts, process.execPath, program, folder],
    stdio: 'inherit',
    stopSignal: 'SIGKILL',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => inside.child.kill('SIGKILL'));
  await inside.exited;
  const passed = inside.child.exitCode === 0;
  if (passed || inside.child.signalCode !== null)
    await rm(folder, { recursive: true, force: true });
  else say(`The disk is kept in ${folder}.`);
  process.exit(passed ? 0 : 1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
