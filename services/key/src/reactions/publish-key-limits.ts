import { type Bus, limitStream, subjects } from '@sluice/bus';
import { type EventStore, loadAggregate, type RecordedEvent } from '@sluice/es';
import { KeyLimitSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import type { Projection } from '@sluice/read-model';
import { apiKey } from '../domain/api-key/decide.ts';
import { apiKeyEvents, apiKeyStreamPrefix, hashOfStream } from '../store/api-key-events.ts';

export type KeyLimitBus = Pick<Bus, 'publishFact' | 'ensureStream'>;

/**
 * When the limit of a key changed, the ledger is told: the bus has stored the fact before the
 * checkpoint moves. A fact is the whole limit as the log has it now, under its revision, so that
 * neither order nor repetition matters.
 */
export function publishKeyLimits(bus: KeyLimitBus, eventStore: EventStore): Projection {
  let streamIsThere: Promise<void> | undefined;
  async function publish(hash: string): Promise<void> {
    const { state: key, revision } = await loadAggregate(eventStore, apiKey, apiKeyEvents, hash);
    if (key.status === 'none') return;
    streamIsThere ??= bus.ensureStream(limitStream);
    await streamIsThere.catch((error: unknown) => {
      streamIsThere = undefined;
      throw error;
    });
    const limit = key.status === 'issued' ? key : undefined;
    const fact: KeyLimitSet = {
      limitId: `${hash}@${revision}`,
      accountId: key.accountId,
      keyHash: hash,
      revision,
      limitNanoUsd: limit?.limitNanoUsd ?? undefined,
      limitReset: limit?.limitReset ?? '',
      includeByokInLimit: limit?.includeByokInLimit ?? false,
    };
    const message = KeyLimitSet.toJSON(fact) as object;
    await bus.publishFact(subjects.keyLimitSet(fact.accountId), fact.limitId, message);
  }
  return {
    projection: 'key.publish_key_limits',
    version: 1,
    streamPrefixes: [apiKeyStreamPrefix],
    tables: [],
    async apply(_transaction, events) {
      for (const hash of changedLimits(events)) await publish(hash);
    },
  };
}

function changedLimits(events: readonly RecordedEvent[]): ReadonlySet<string> {
  const hashes = new Set<string>();
  for (const recorded of events)
    switch (apiKeyEvents.decode(recorded).type) {
      case 'ApiKeyIssued':
      case 'ApiKeyLimitChanged':
      case 'ApiKeyLimitResetChanged':
      case 'ApiKeyByokInclusionChanged':
      case 'ApiKeyDeleted':
        hashes.add(hashOfStream(recorded.stream));
        break;
      case 'ApiKeyRenamed':
      case 'ApiKeyDisabled':
      case 'ApiKeyEnabled':
        break;
    }
  return hashes;
}
