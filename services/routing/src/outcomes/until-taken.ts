import { setTimeout as delay } from 'node:timers/promises';

/** A broker that is away is asked again for so long. Then the observer does without. */
const attemptsMax = 30;
const retryMsDefault = 1_000;

/** Publishes again until the broker has taken the message. Throws the error of the last attempt. */
export async function untilTaken(
  publish: () => Promise<unknown>,
  retryMs = retryMsDefault,
): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await publish();
      return;
    } catch (error) {
      if (attempt === attemptsMax) throw error;
      // A process that stops does not wait for it.
      await delay(retryMs, undefined, { ref: false });
    }
}
