import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@sluice/errors';

/** The value, or a fault after the time. The call itself is not ended by it. */
export async function within<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const message = 'The event store did not answer in time';
    timer = setTimeout(() => reject(new Fault('event_store_unavailable', { message })), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const backoffMsMin = 50;
const doublingsMax = 10;

/** Longer after each failure in a row, up to `msMax`; ends early when the signal aborts. */
export async function backOff(failures: number, msMax: number, signal: AbortSignal): Promise<void> {
  const waitMs = Math.min(msMax, backoffMsMin * 2 ** Math.min(failures, doublingsMax));
  try {
    await delay(waitMs, undefined, { signal });
  } catch {
    // The caller looks at the signal.
  }
}
