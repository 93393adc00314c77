import type { ApiKeyEvent } from '../domain/api-key/events.ts';

/** A notice to the processes that cache a key: it has changed. */
export interface KeyChange {
  readonly hash: string;
  /** Empty when the key's stream is gone from the event store. */
  readonly accountId: string;
  /** Revision of the last event; absent: not known. */
  readonly revision?: bigint | undefined;
  /** The events disabled or deleted the key, and did not enable it again. */
  readonly isRevoked: boolean;
}

/** Returns the change that these events of one key make. */
export function changeOf(
  hash: string,
  accountId: string,
  { events, revision }: { readonly events: readonly ApiKeyEvent[]; readonly revision: bigint },
): KeyChange {
  return { hash, accountId, revision, isRevoked: isRevokedBy(events) };
}

function isRevokedBy(events: readonly ApiKeyEvent[]): boolean {
  return events.reduce((isRevoked, { type }) => {
    if (type === 'ApiKeyDisabled' || type === 'ApiKeyDeleted') return true;
    return isRevoked && type !== 'ApiKeyEnabled';
  }, false);
}
