import type { RecordedEvent } from '@sluice/es';
import type { Projection, Queryable } from '@sluice/read-model';
import { apiKeyEvents } from '../store/api-key-events.ts';
import { ApiKeyChanges } from './change-api-keys.ts';
import { insertApiKeys, type IssuedRow } from './insert-api-keys.ts';

/**
 * Keeps the table `api_keys`: one row per key that is not deleted or gone from the event store. It holds no digest
 * and no secret.
 */
export const apiKeysProjection: Projection = {
  projection: 'key.api_keys',
  version: 1,
  streamPrefixes: [apiKeyEvents.streamPrefix],
  tables: ['api_keys'],
  readingIndexes: ['api_keys_by_creator', 'api_keys_by_workspace'],
  apply: applyToApiKeys,
  async applyGone(transaction, streams) {
    const changes = new ApiKeyChanges();
    for (const stream of streams) changes.delete(apiKeyEvents.idOf(stream));
    await changes.write(transaction);
  },
};

/**
 * The keys that are issued in a batch are inserted by one statement, ahead of what changes or ends any of them: a
 * key is issued once, before all else that happens to it.
 */
async function applyToApiKeys(
  transaction: Queryable,
  events: readonly RecordedEvent[],
): Promise<void> {
  const batch: Batch = { issued: [], changes: new ApiKeyChanges() };
  for (const recorded of events) plan(batch, recorded);
  const { issued, changes } = batch;
  // They go out together, and PostgreSQL carries them out in the order in which they were sent.
  await Promise.all([
    issued.length > 0 ? insertApiKeys(transaction, issued) : undefined,
    changes.write(transaction),
  ]);
}

interface Batch {
  readonly issued: IssuedRow[];
  readonly changes: ApiKeyChanges;
}

function plan({ issued, changes }: Batch, recorded: RecordedEvent): void {
  const hash = apiKeyEvents.idOf(recorded.stream);
  const event = apiKeyEvents.decode(recorded);
  switch (event.type) {
    case 'ApiKeyIssued': {
      const { commandId } = recorded.metadata as { readonly commandId: string };
      issued.push({ ...event.data, commandId });
      return;
    }
    case 'ApiKeyRenamed':
      return changes.set(hash, 'name', event.data.name, event.data.changedAt);
    case 'ApiKeyDisabled':
      return changes.set(hash, 'disabled', true, event.data.changedAt);
    case 'ApiKeyEnabled':
      return changes.set(hash, 'disabled', false, event.data.changedAt);
    case 'ApiKeyLimitChanged':
      return changes.set(hash, 'limit_nano_usd', event.data.limitNanoUsd, event.data.changedAt);
    case 'ApiKeyLimitResetChanged':
      return changes.set(hash, 'limit_reset', event.data.limitReset, event.data.changedAt);
    case 'ApiKeyByokInclusionChanged': {
      const { includeByokInLimit, changedAt } = event.data;
      return changes.set(hash, 'include_byok_in_limit', includeByokInLimit, changedAt);
    }
    case 'ApiKeyDeleted':
      return changes.delete(hash);
  }
}
