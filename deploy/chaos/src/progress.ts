import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

export interface ProgressOptions {
  /** Gives up when what is told has been the same for so long. */
  readonly quietMs: number;
  readonly pollMs: number;
  /** Gives up after so long, whatever is told. */
  readonly totalMsMax?: number;
}

const totalMsMaxDefault = 1_800_000;

/**
 * Asks until what is told is as it should be, and returns it: or the last that was told, when nothing has changed
 * for long. A busy machine changes it later, and is waited for.
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
