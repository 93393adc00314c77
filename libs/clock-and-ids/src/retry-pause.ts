import { setTimeout as delay } from 'node:timers/promises';

const pauseMsMax = 64;

/**
 * Waits before a command is decided again after so many revision conflicts in a row: twice as long each
 * time, up to 64 ms. Jitter keeps replicas that write to one stream from meeting again.
 */
export async function retryPause(conflicts: number): Promise<void> {
  const fullMs = Math.min(pauseMsMax, 2 ** conflicts);
  await delay(fullMs * (0.5 + 0.5 * Math.random()));
}
