import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@sluice/errors';
import type { ClosingPlace, Closings } from '../store/closings.ts';

/** A deletion takes milliseconds. The caller of a command waits for five seconds at most. */
const waitMsMax = 2_000;
const everyMs = 25;
const retryAfterSeconds = 2;

/**
 * Waits until no command is about to delete the workspace or to remove the creator from it. Such a command has counted
 * the keys already and may have missed the new one: afterwards the log shows whether it succeeded. Throws unavailable
 * when the wait is over or the signal aborts: the key is stored, and the caller may send the same command again.
 */
export async function untilNotClosing(
  closings: Pick<Closings, 'isOpen'>,
  place: ClosingPlace,
  signal?: AbortSignal,
): Promise<void> {
  const endMs = performance.now() + waitMsMax;
  while (await closings.isOpen(place)) {
    if (signal?.aborted || performance.now() >= endMs) {
      const message = 'The workspace may be about to be deleted: send the request again';
      throw new Fault('unavailable', { message, retryAfterSeconds });
    }
    await delay(everyMs);
  }
}
