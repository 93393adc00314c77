import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

export interface ProgressOptions {
  /** Gives up when the answer has not changed for so long. */
  readonly quietMs: number;
  readonly pollMs: number;
  /** Gives up after so long, even if the answer changes. */
  readonly totalMsMax?: number;
}

const totalMsMaxDefault = 1_800_000;

/**
 * Polls until the answer is right, and returns it. Returns the last answer if it has not changed for `quietMs`.
 * A slow machine is given time as long as its answers change.
 */
export async function whileItChanges<Told>(
  ask: () => Promise<Told>,
  isRight: (told: Told) => boolean,
  { quietMs, pollMs, totalMsMax = totalMsMaxDefault }: ProgressOptions,
): Promise<Told> {
  const startedMs = performance.now();
  let changedMs = startedMs;
  let before = '';
  for (;;) {
    const told = await ask();
    if (isRight(told)) return told;
    const nowMs = performance.now();
    const seen = inspect(told, { depth: 4, maxArrayLength: 20 });
    if (seen !== before) changedMs = nowMs;
    before = seen;
    if (nowMs - changedMs > quietMs || nowMs - startedMs > totalMsMax) return told;
    await delay(pollMs);
  }
}
