import { setTimeout as delay } from 'node:timers/promises';
import type { Projector } from './projector-options.ts';

const pollMs = 25;

/** Resolves with true as soon as the read model is complete; false after the time-out. */
export async function completeWithin(
  projector: Pick<Projector, 'isComplete'>,
  timeoutMs: number,
): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!projector.isComplete()) {
    if (performance.now() >= deadlineMs) return false;
    await delay(pollMs);
  }
  return true;
}
