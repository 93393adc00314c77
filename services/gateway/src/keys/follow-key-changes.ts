import { subjectFilters, type Bus } from '@sluice/bus';
import type { PrincipalCache } from './principal-cache.ts';

/**
 * Resolves when changes are heard: each drops what is known of its key. Changes may have been
 * missed while the bus was away, so all is dropped when it is back. Ends with the signal.
 */
export async function followKeyChanges(
  bus: Pick<Bus, 'subscribe' | 'onReconnect'>,
  principals: Pick<PrincipalCache, 'forget' | 'forgetAll'>,
  signal: AbortSignal,
): Promise<void> {
  let current: AbortController | undefined;
  const listen = async () => {
    const previous = current;
    current = new AbortController();
    await bus.subscribe(
      subjectFilters.keyChanged,
      ({ subject }) => principals.forget(subject.slice(subject.lastIndexOf('.') + 1)),
      { signal: AbortSignal.any([signal, current.signal]) },
    );
    previous?.abort();
    // What was learnt before the broker delivers may have changed unheard.
    principals.forgetAll();
  };
  const stopWatching = bus.onReconnect(() => {
    principals.forgetAll();
    // A failure means that the connection is lost again: its return calls this once more.
    listen().catch(() => principals.forgetAll());
  });
  signal.addEventListener('abort', stopWatching, { once: true });
  await listen();
}
