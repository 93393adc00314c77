import { type Bus, limitStream, subjects } from '@sluice/bus';
import { aggregateAfter, byStream, type EventStore, type RecordedEvent } from '@sluice/es';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { currentHistory, eachAtOnce, type History, type Projection } from '@sluice/read-model';
import { apiKey } from '../domain/api-key/decide.ts';
import { apiKeyEvents, apiKeyStreamPrefix, hashOfStream } from '../store/api-key-events.ts';

/** Neither order nor repetition matters, and each waits for the bus to store it. */
const atOnceMax = 64;

export type KeyLimitBus = Pick<Bus, 'publishFact' | 'ensureStream'>;

/**
 * Publishes each change of a key's limit to the ledger. The bus has stored the fact before the checkpoint
 * moves. A fact has the whole limit with its revision, so neither order nor repetition matters. A key that is
 * issued without a limit publishes no fact.
 */
export function publishKeyLimits(bus: KeyLimitBus, eventStore: EventStore): Projection {
  let streamIsThere: Promise<void> | undefined;
  async function publish(
    hash: string,
    events: readonly RecordedEvent[],
    history: History,
  ): Promise<void> {
    const after = await aggregateAfter(eventStore, apiKey, apiKeyEvents, hash, events);
    const { state: key } = after;
    if (key.status === 'none') return;
    // Nothing can have been said of it before, unless in a history that is no longer in force.
    const isNew = after.revision === 0n && history.number === 0;
    if (isNew && key.status === 'issued' && key.limitNanoUsd === null) return;
    const revision = history.published(after.revision);
    streamIsThere ??= bus.ensureStream(limitStream);
    await streamIsThere.catch((error: unknown) => {
      streamIsThere = undefined;
      throw error;
    });
    const issued = key.status === 'issued' ? key : undefined;
    const limitNanoUsd = issued?.limitNanoUsd ?? undefined;
    const windowKind = issued?.limitReset ?? 'lifetime';
    const fact: LimitsSet = {
      limitId: `key/${hash}@${revision}`,
      accountId: key.accountId,
      scopeKind: 'key',
      scopeId: hash,
      revision,
      limits: limitNanoUsd === undefined ? [] : [{ windowKind, limitNanoUsd }],
      includeByok: issued?.includeByokInLimit ?? false,
    };
    const message = LimitsSet.toJSON(fact) as object;
    await bus.publishFact(subjects.limitsSet(fact.accountId), fact.limitId, message);
  }
  return {
    // Version 2: all of them again, as `LimitsSet`.
    projection: 'key.publish_key_limits',
    version: 2,
    streamPrefixes: [apiKeyStreamPrefix],
    tables: [],
    async apply(transaction, events) {
      const changed = changedLimits(events);
      if (changed.size === 0) return;
      const history = await currentHistory(transaction);
      await eachAtOnce(byStream(events), atOnceMax, async ([stream, ofOne]) => {
        if (changed.has(stream)) await publish(hashOfStream(stream), ofOne, history);
      });
    },
  };
}

/** Returns the streams of the keys whose limits change with these events. */
function changedLimits(events: readonly RecordedEvent[]): ReadonlySet<string> {
  const streams = new Set<string>();
  for (const recorded of events)
    switch (apiKeyEvents.decode(recorded).type) {
      case 'ApiKeyIssued':
      case 'ApiKeyLimitChanged':
      case 'ApiKeyLimitResetChanged':
      case 'ApiKeyByokInclusionChanged':
      case 'ApiKeyDeleted':
        streams.add(recorded.stream);
        break;
      case 'ApiKeyRenamed':
      case 'ApiKeyDisabled':
      case 'ApiKeyEnabled':
        break;
    }
  return streams;
}
