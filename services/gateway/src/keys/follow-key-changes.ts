import { type BusMessage, type Notices, subjectFilters } from '@sluice/bus';
import { KeyChanged } from '@sluice/protos/sluice/key/v1/key_events';
import type { KeyNotice } from './key-notices.ts';
import type { PrincipalCache } from './principal-cache.ts';

/** Refreshes each key that has a notice, and all keys when notices may be lost. */
export function followKeyChanges(
  notices: Pick<Notices, 'listen'>,
  principals: Pick<PrincipalCache, 'changed' | 'subscribedAnew'>,
): void {
  notices.listen({
    filters: [subjectFilters.keyChanged],
    received: (message) => principals.changed(noticeOf(message)),
    missed: () => principals.subscribedAnew(),
  });
}

/** Reads the key from the subject if the message has no content. */
function noticeOf({ subject, data }: Pick<BusMessage, 'subject' | 'data'>): KeyNotice {
  const hash = subject.slice(subject.lastIndexOf('.') + 1);
  try {
    const { revision, isRevoked } = KeyChanged.fromJSON(data);
    return { hash, revision, isRevoked };
  } catch {
    return { hash, isRevoked: false };
  }
}
