import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { Unanswered } from './failure.ts';

/** The value. Throws `Unanswered` after the time, or once the signal aborts; the call itself goes on. */
export async function within<Value>(
  promise: Promise<Value>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Value> {
  const over = Promise.withResolvers<never>();
  const end = () => over.reject(new Unanswered());
  // A value that has arrived while the process was busy counts.
  const timer = setTimeout(() => setImmediate(end), timeoutMs);
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  try {
    return await Promise.race([promise, over.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Resolves after the time and what has arrived by then, or once the signal aborts. */
export async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(waitMs, undefined, { signal });
    await nextTurn();
  } catch {
    // The caller looks at the signal.
  }
}

const backoffMsMin = 50;
const doublingsMax = 10;

/** Longer after each failure in a row, up to `msMax`; ends early when the signal aborts. */
export async function backOff(failures: number, msMax: number, signal: AbortSignal): Promise<void> {
  await pause(Math.min(msMax, backoffMsMin * 2 ** Math.min(failures, doublingsMax)), signal);
}
