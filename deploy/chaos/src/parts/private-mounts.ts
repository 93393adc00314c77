import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startWatchedProcess } from '@sluice/embedded';
import { lastLine } from './loop-disk.ts';

const privateMounts = ['--mount', '--propagation', 'private'];

/** Returns why mounts of our own cannot be had here, or undefined when they can. */
export async function mountObstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'it mounts file systems and needs root';
  return await promisify(execFile)('unshare', [...privateMounts, 'true']).then(
    () => undefined,
    (error: Error) => `mounts of its own are not allowed here (${lastLine(error)})`,
  );
}

/**
 * Runs a program in a process with mounts of its own, whose temporary files have a folder of their own: however it
 * ends, and when this process is killed, the kernel unmounts and frees the loop devices. The folder is kept when the
 * program failed. Returns the exit code.
 */
export async function runWithPrivateMounts(
  command: readonly string[],
  say: (line: string) => void,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-power-'));
  const inside = await startWatchedProcess({
    name: 'the scenario',
    command: 'unshare',
    args: [...privateMounts, process.execPath, ...command],
    env: { TMPDIR: folder },
    stdio: 'inherit',
    stopSignal: 'SIGKILL',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => inside.child.kill('SIGKILL'));
  await inside.exited;
  const { exitCode, signalCode } = inside.child;
  if (exitCode === 0 || signalCode !== null) await rm(folder, { recursive: true, force: true });
  else say(`The disk is kept in ${folder}.`);
  return exitCode ?? 1;
}
