import type { RecordedEvent } from '@sluice/es';
import { eachInOrder, type Projection, type Queryable, type SqlValue } from '@sluice/read-model';
import type { ApiKeyEvent, ApiKeyIssued } from '../domain/api-key/events.ts';
import { apiKeyEvents, apiKeyStreamPrefix, hashOfStream } from '../store/api-key-events.ts';

/** Keeps the table `api_keys`: one row per key that is not deleted. No digest, no secret. */
export const apiKeysProjection: Projection = {
  projection: 'key.api_keys',
  version: 1,
  streamPrefixes: [apiKeyStreamPrefix],
  tables: ['api_keys'],
  apply: applyToApiKeys,
};

async function applyToApiKeys(
  transaction: Queryable,
  events: readonly RecordedEvent[],
): Promise<void> {
  await eachInOrder(events, (recorded) => {
    const { commandId } = recorded.metadata as { readonly commandId: string };
    const hash = hashOfStream(recorded.stream);
    return apply(transaction, hash, apiKeyEvents.decode(recorded), commandId);
  });
}

async function apply(
  transaction: Queryable,
  hash: string,
  event: ApiKeyEvent,
  commandId: string,
): Promise<void> {
  const set = (column: Column, value: SqlValue, at: string) =>
    update(transaction, { hash, column, value, at });
  switch (event.type) {
    case 'ApiKeyIssued':
      return insert(transaction, event.data, commandId);
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
      await transaction.query({ name: 'delete-api-key', text, values: [hash] });
    }
  }
}

async function insert(
  transaction: Queryable,
  data: ApiKeyIssued['data'],
  commandId: string,
): Promise<void> {
  await transaction.query({
    name: 'insert-api-key',
    text: `INSERT INTO api_keys
             (hash, kind, label, name, disabled, account_id, workspace_id, limit_nano_usd,
              limit_reset, include_byok_in_limit, expires_at, creator_user_id,
              external_user, source, created_at, updated_at, issue_command_id)
           VALUES ($1, $2, $3, $4, false, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, $15)
           ON CONFLICT (hash) DO NOTHING`,
    values: [
      data.hash,
      data.kind,
      data.label,
      data.name,
      data.accountId,
      data.workspaceId,
      data.limitNanoUsd,
      data.limitReset,
      data.includeByokInLimit,
      data.expiresAt,
      data.creatorUserId,
      data.externalUser,
      data.source,
      data.issuedAt,
      commandId,
    ],
  });
}

type Column = 'name' | 'disabled' | 'limit_nano_usd' | 'limit_reset' | 'include_byok_in_limit';

interface Update {
  readonly hash: string;
  /** One of our own names, never a text from outside. */
  readonly column: Column;
  readonly value: SqlValue;
  readonly at: string;
}

async function update(transaction: Queryable, { hash, column, value, at }: Update): Promise<void> {
  await transaction.query({
    name: `update-api-key-${column}`,
    text: `UPDATE api_keys SET ${column} = $2, updated_at = $3 WHERE hash = $1`,
    values: [hash, value, at],
  });
}
