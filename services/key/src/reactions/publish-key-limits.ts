import { type Bus, limitStream, subjects } from '@sluice/bus';
import { type EventStore, loadAggregate, type RecordedEvent } from '@sluice/es';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import type { Projection } from '@sluice/read-model';
import { apiKey } from '../domain/api-key/decide.ts';
import { apiKeyEvents, apiKeyStreamPrefix, hashOfStream } from '../store/api-key-events.ts';
import { eachAtOnce } from './at-once.ts';

/** Neither order nor repetition matters, and each waits for the bus to store it. */
const atOnceMax = 16;

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
    async apply(_transaction, events) {
      await eachAtOnce(changedLimits(events), atOnceMax, publish);
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
