import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@sluice/errors';

const pauseMs = 250;

/**
 * Repeats the work from its beginning while a part of Sluice is away, without a limit in time. Reports each new
 * reason once. Throws errors that waiting cannot resolve.
 */
export async function goingOn<Result>(
  work: () => Promise<Result>,
  onWaiting: (reason: string) => void,
): Promise<Result> {
  const told = new Set<string>();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Fault && error.retryable)) throw error;
      // The message may count seconds, so the code identifies the reason.
      if (!told.has(error.code)) onWaiting(`${error.message} (${error.code})`);
      told.add(error.code);
    }
    await delay(pauseMs);
  }
}
