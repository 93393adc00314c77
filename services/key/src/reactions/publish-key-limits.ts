import { createFactPublisher, type FactBus, limitStream, subjects } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { type Projection, publishLatest } from '@sluice/read-model';
import type { ApiKeyEvent } from '../domain/api-key/events.ts';
import { apiKeyEvents } from '../store/api-key-events.ts';

/**
 * Publishes each change of a key's limit to the ledger. The bus has stored the fact before the checkpoint
 * moves. A fact has the whole limit with its revision, so neither order nor repetition matters. A key that is
 * issued without a limit publishes no fact.
 */
export function publishKeyLimits(bus: FactBus, eventStore: EventStore): Projection {
  const publishFact = createFactPublisher(bus, limitStream);
  return publishLatest({
    // Version 2: all of them again, as `LimitsSet`.
    projection: 'key.publish_key_limits',
    version: 2,
    eventStore,
    events: apiKeyEvents,
    concerns: changesLimit,
    async publish({ id: hash, state: key, revision: revisionInLog, history }) {
      if (key.status === 'none') return;
      // Nothing can have been said of it before, unless in a history that is no longer in force.
      const isNew = revisionInLog === 0n && history.number === 0;
      const issued = key.status === 'issued' ? key : undefined;
      if (isNew && issued?.limitNanoUsd === null) return;
      const revision = history.published(revisionInLog);
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
      await publishFact(subjects.limitsSet(fact.accountId), fact.limitId, message);
    },
  });
}

function changesLimit({ type }: ApiKeyEvent): boolean {
  switch (type) {
    case 'ApiKeyIssued':
    case 'ApiKeyLimitChanged':
    case 'ApiKeyLimitResetChanged':
    case 'ApiKeyByokInclusionChanged':
    case 'ApiKeyDeleted':
      return true;
    case 'ApiKeyRenamed':
    case 'ApiKeyDisabled':
    case 'ApiKeyEnabled':
      break;
  }
  return false;
}
