import { setTimeout as delay } from 'node:timers/promises';
import type { Credentials } from './credentials.ts';

const intervalMs = 10_000;

/** Drops unused secrets from memory, soon after they are a minute old. Ends with the signal. */
export async function sweepSecrets(
  credentials: Pick<Credentials, 'sweep'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await delay(intervalMs, undefined, { signal }).catch(() => {});
    credentials.sweep();
  }
}
