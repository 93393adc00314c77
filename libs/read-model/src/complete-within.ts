import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 25;

/** Resolves with true as soon as the read model is complete; false after the time-out. */
export async function completeWithin(
  isComplete: () => boolean,
  timeoutMs: number,
): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!isComplete()) {
    if (performance.now() >= deadlineMs) return false;
    await delay(pollMs);
  }
  return true;
}
