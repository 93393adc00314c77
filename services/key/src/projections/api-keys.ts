import type { RecordedEvent } from '@sluice/es';
import type { Projection, Queryable, SqlValue, Statement } from '@sluice/read-model';
import { apiKeyEvents, apiKeyStreamPrefix, hashOfStream } from '../store/api-key-events.ts';
import { insertApiKeys, type IssuedRow } from './insert-api-keys.ts';

/** Keeps the table `api_keys`: one row per key that is not deleted. No digest, no secret. */
export const apiKeysProjection: Projection = {
  projection: 'key.api_keys',
  version: 1,
  streamPrefixes: [apiKeyStreamPrefix],
  tables: ['api_keys'],
  apply: applyToApiKeys,
};

/**
 * The keys that are issued in a batch are inserted by one statement, ahead of what changes or ends any of them: a
 * key is issued once, before all else that happens to it.
 */
async function applyToApiKeys(
  transaction: Queryable,
  events: readonly RecordedEvent[],
): Promise<void> {
  const batch: Batch = { issued: [], changes: [] };
  for (const recorded of events) plan(batch, recorded);
  const { issued, changes } = batch;
  // They go out together, and PostgreSQL carries them out in the order in which they were sent.
  await Promise.all([
    issued.length > 0 ? insertApiKeys(transaction, issued) : undefined,
    ...changes.map((change) => transaction.query(change)),
  ]);
}

interface Batch {
  readonly issued: IssuedRow[];
  readonly changes: Statement[];
}

function plan({ issued, changes }: Batch, recorded: RecordedEvent): void {
  const hash = hashOfStream(recorded.stream);
  const event = apiKeyEvents.decode(recorded);
  const set = (column: Column, value: SqlValue, at: string) => {
    changes.push(update({ hash, column, value, at }));
  };
  switch (event.type) {
    case 'ApiKeyIssued': {
      const { commandId } = recorded.metadata as { readonly commandId: string };
      issued.push({ ...event.data, commandId });
      return;
    }
    case 'ApiKeyRenamed':
      return set('name', event.data.name, event.data.changedAt);
    case 'ApiKeyDisabled':
      return set('disabled', true, event.data.changedAt);
    case 'ApiKeyEnabled':
      return set('disabled', false, event.data.changedAt);
    case 'ApiKeyLimitChanged':
      return set('limit_nano_usd', event.data.limitNanoUsd, event.data.changedAt);
    case 'ApiKeyLimitResetChanged':
      return set('limit_reset', event.data.limitReset, event.data.changedAt);
    case 'ApiKeyByokInclusionChanged':
      return set('include_byok_in_limit', event.data.includeByokInLimit, event.data.changedAt);
    case 'ApiKeyDeleted': {
      const text = 'DELETE FROM api_keys WHERE hash = $1';
      changes.push({ name: 'delete-api-key', text, values: [hash] });
    }
  }
}

type Column = 'name' | 'disabled' | 'limit_nano_usd' | 'limit_reset' | 'include_byok_in_limit';

interface Update {
  readonly hash: string;
  /** One of our own names, never a text from outside. */
  readonly column: Column;
  readonly value: SqlValue;
  readonly at: string;
}

function update({ hash, column, value, at }: Update): Statement {
  return {
    name: `update-api-key-${column}`,
    text: `UPDATE api_keys SET ${column} = $2, updated_at = $3 WHERE hash = $1`,
    values: [hash, value, at],
  };
}
