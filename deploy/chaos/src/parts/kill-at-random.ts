import { setTimeout as delay } from 'node:timers/promises';
import { readPid } from '@sluice/embedded';
import { until } from '@sluice/patience';
import type { Random } from '@sluice/testing/random';
import { untilMore } from '../waiting.ts';
import type { Installation } from './installation.ts';

export interface KillingOptions {
  readonly installation: Installation;
  /** The names of the parts. A part that is named twice is killed twice as often. */
  readonly parts: readonly [string, ...string[]];
  readonly kills: number;
  readonly random: Random;
  /** Returns the number of answers so far. It grows again when all is well. */
  readonly answered: () => number;
  readonly say: (line: string) => void;
}

/** A service may take 240 s to come back on a slow machine. */
const restart = { everyMs: 20, sameLooksMax: 12_000 };
/** Number of answers in a row: a single one may have been on its way already. */
const answeredAgain = 30;
const shortGapMsMax = 1_500;
const calmMsMax = 1_000;

/**
 * Kills parts at random with SIGKILL: half of them while the last one still comes back, the others from full work.
 * Rejects when a part does not come back or work does not go on. Returns the number of kills of each part.
 */
export async function killAtRandom(
  options: KillingOptions,
): Promise<Readonly<Record<string, number>>> {
  const { installation, parts, kills, random, answered, say } = options;
  const untilWorking = () =>
    untilMore(answered, answeredAgain, 'answers', { sameLooksMax: 18_000 });
  const killsOf: Record<string, number> = {};
  const dead = new Set<number>();
  for (let number = 1; number <= kills; number++) {
    if (random.next() < 0.5) await untilWorking();
    await delay(random.below(random.next() < 0.5 ? shortGapMsMax : calmMsMax));
    const part = random.pick(parts);
    const alive = async () => {
      const pid = await readPid(installation.pidFileOf(part));
      return pid !== undefined && !dead.has(pid) && isAlive(pid) ? pid : undefined;
    };
    const pid = await until(alive, restart).catch(() => {
      throw new Error(`${part} did not come back`);
    });
    process.kill(pid, 'SIGKILL');
    dead.add(pid);
    killsOf[part] = (killsOf[part] ?? 0) + 1;
    say(`kill ${number} of ${kills}: ${part} (${pid}), ${answered()} answered`);
  }
  await untilWorking();
  return killsOf;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
