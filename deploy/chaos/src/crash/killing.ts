import { setTimeout as delay } from 'node:timers/promises';
import { readPid } from '@sluice/embedded';
import type { Random } from '@sluice/testing/random';

export interface KillingOptions {
  /** The names of their pid files; one that is there twice is killed twice as often. */
  readonly parts: readonly [string, ...string[]];
  readonly kills: number;
  readonly random: Random;
  readonly pidFileOf: (part: string) => string;
  /** How many commands or requests were acknowledged so far: it grows again when all is well. */
  readonly acknowledged: () => number;
  readonly onKill: (kill: Kill) => void;
}

export interface Kill {
  readonly number: number;
  readonly part: string;
  readonly pid: number;
}

const restartTimeoutMs = 240_000;
const recoveryTimeoutMs = 360_000;
const pollMs = 10;
/** So many answers in a row: one alone may have been on its way already. */
const acknowledgedAgain = 30;
const shortGapMsMax = 1_500;
const calmMsMax = 1_000;

/**
 * Kills one part after the other with -9, at random: half of them while the last one still comes
 * back, the others from full work. Rejects when a part does not come back or work does not go on.
 */
export async function killAtRandom(options: KillingOptions): Promise<readonly Kill[]> {
  const { parts, kills, random, pidFileOf, onKill } = options;
  const killed: Kill[] = [];
  const dead = new Set<number>();
  for (let number = 1; number <= kills; number++) {
    if (random.next() < 0.5) await untilWorking(options);
    await delay(random.below(random.next() < 0.5 ? shortGapMsMax : calmMsMax));
    const part = random.pick(parts);
    const pid = await livePid(part, pidFileOf(part), dead);
    process.kill(pid, 'SIGKILL');
    dead.add(pid);
    const kill = { number, part, pid };
    killed.push(kill);
    onKill(kill);
  }
  await untilWorking(options);
  return killed;
}

async function livePid(part: string, pidFile: string, dead: ReadonlySet<number>): Promise<number> {
  const deadlineMs = performance.now() + restartTimeoutMs;
  for (;;) {
    const pid = await readPid(pidFile);
    if (pid !== undefined && !dead.has(pid) && isAlive(pid)) return pid;
    if (performance.now() > deadlineMs)
      throw new Error(`${part} did not come back within ${restartTimeoutMs / 1000} s`);
    await delay(pollMs);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function untilWorking({ acknowledged }: KillingOptions): Promise<void> {
  const enough = acknowledged() + acknowledgedAgain;
  const deadlineMs = performance.now() + recoveryTimeoutMs;
  while (acknowledged() < enough) {
    if (performance.now() > deadlineMs)
      throw new Error(`nothing was answered again within ${recoveryTimeoutMs / 1000} s`);
    await delay(pollMs);
  }
}
