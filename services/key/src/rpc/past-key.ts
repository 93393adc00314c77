import { isKeyHash } from '@sluice/clock-and-ids';
import { Fault, invalidValue } from '@sluice/errors';
import { type EventStore, storeUntil } from '@sluice/es';
import type { Key } from '@sluice/protos/sluice/key/v1/key';
import type { AccountReads } from '@sluice/read-model';
import { findKeyUse } from '../queries/find-key-use.ts';
import { apiKeyEvents } from '../store/api-key-events.ts';
import { fromState } from './key-message.ts';

interface Dependencies {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
}

interface PastKeyQuestion {
  readonly accountId: string;
  readonly hash: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

export type FindPastKey = (asked: PastKeyQuestion) => Promise<Key>;

/**
 * Returns a function that folds the events of a key that were recorded by an instant: read models have the newest state
 * alone. A key that was deleted since is still found. Throws not_found if there was no such key then.
 */
export function pastKeyFinder({ eventStore, readModel }: Dependencies): FindPastKey {
  return async ({ accountId, hash, at }) => {
    const instant = new Date(at);
    if (Number.isNaN(instant.getTime())) throw invalidValue('at', 'must be an instant in UTC');
    // Only a well-formed hash may become the name of a stream.
    if (!isKeyHash(hash)) throw new Fault('not_found');
    const { state } = await apiKeyEvents.load(storeUntil(eventStore, instant), hash);
    const key = fromState(state);
    if (key?.accountId !== accountId) throw new Fault('not_found');
    const lastUsedAt = await findKeyUse(readModel, { accountId, hash });
    return { ...key, lastUsedAt: lastUsedAt?.toISOString() };
  };
}
