import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SetupProblem } from './setup-problem.ts';

export interface Leftover {
  readonly name: string;
  /** The file whose first line is the process id. */
  readonly pidFile: string;
  /** Part of the command line: tells our process from another that was given the same id since. */
  readonly marker: string;
  readonly stopSignal: NodeJS.Signals;
}

const stopTimeoutMs = 15_000;
const pollMs = 25;

/** Ends what an earlier run left behind. Resolves once it is gone, or was not there. */
export async function endLeftover(leftover: Leftover): Promise<void> {
  const pid = await readPid(leftover.pidFile);
  if (pid === undefined || !(await isOurs(pid, leftover.marker))) return;
  signal(pid, leftover.stopSignal);
  const deadlineMs = performance.now() + stopTimeoutMs;
  while (await isOurs(pid, leftover.marker)) {
    if (performance.now() > deadlineMs)
      throw new SetupProblem(
        `${leftover.name} of an earlier run still runs as process ${pid} and does not end.`,
      );
    await delay(pollMs);
  }
}

/** The process id that a pid file names; undefined when there is none. */
export async function readPid(pidFile: string): Promise<number | undefined> {
  const text = await readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number.parseInt(text.split('\n')[0] ?? '', 10);
  return pid > 1 ? pid : undefined;
}

async function isOurs(pid: number, marker: string): Promise<boolean> {
  return (await commandLine(pid)).includes(marker);
}

/** Empty when there is no such process, or it is dead and only waits for its parent. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux')
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
  return promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself in between.
  }
}
