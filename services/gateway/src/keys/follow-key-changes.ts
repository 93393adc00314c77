import { subjectFilters, type Bus } from '@sluice/bus';
import { KeyChanged } from '@sluice/protos/sluice/key/v1/key_events';
import type { KeyNotice } from './key-notices.ts';
import type { PrincipalCache } from './principal-cache.ts';

/**
 * Resolves once change messages are received. Each has its key refreshed. All keys are refreshed after the bus was
 * away, since changes may have been missed. Ends with the signal.
 */
export async function followKeyChanges(
  bus: Pick<Bus, 'subscribe' | 'onReconnect'>,
  principals: Pick<PrincipalCache, 'changed' | 'hearing'>,
  signal: AbortSignal,
): Promise<void> {
  let current: AbortController | undefined;
  const listen = async () => {
    const previous = current;
    current = new AbortController();
    await bus.subscribe(
      subjectFilters.keyChanged,
      (message) => principals.changed(noticeOf(message)),
      { signal: AbortSignal.any([signal, current.signal]) },
    );
    previous?.abort();
    // What was learnt before the broker delivers may have changed unheard.
    principals.hearing();
  };
  const stopWatching = bus.onReconnect(() => {
    principals.hearing();
    // A failure means that the connection is lost again: its return calls this once more.
    listen().catch(() => principals.hearing());
  });
  signal.addEventListener('abort', stopWatching, { once: true });
  await listen();
}

/** Reads the key from the subject if the message has no content. */
function noticeOf({
  subject,
  data,
}: {
  readonly subject: string;
  readonly data: unknown;
}): KeyNotice {
  const hash = subject.slice(subject.lastIndexOf('.') + 1);
  try {
    const { revision, isRevoked } = KeyChanged.fromJSON(data);
    return { hash, revision, isRevoked };
  } catch {
    return { hash, isRevoked: false };
  }
}
