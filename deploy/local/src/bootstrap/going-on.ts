import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@sluice/errors';

const pauseMs = 250;

/**
 * Does the work again, from its beginning, while a part of Sluice is away, however long that takes. Each new
 * reason is told once. Throws what no waiting mends.
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
      // The message may count seconds; the code is what stays the same.
      if (!told.has(error.code)) onWaiting(`${error.message} (${error.code})`);
      told.add(error.code);
    }
    await delay(pauseMs);
  }
}
