import type { Queryable } from '@sluice/read-model';
import type { ApiKeyIssued } from '../domain/api-key/events.ts';

/** The row of an issued key, with the command that issued it. */
export type IssuedRow = ApiKeyIssued['data'] & { readonly commandId: string };

/** Adds those that are not there, with one statement. */
export async function insertApiKeys(
  transaction: Queryable,
  issued: readonly IssuedRow[],
): Promise<void> {
  await transaction.query({
    name: 'insert-api-keys',
    text: `INSERT INTO api_keys
             (hash, kind, label, name, disabled, account_id, workspace_id, limit_nano_usd,
              limit_reset, include_byok_in_limit, expires_at, creator_user_id,
              external_user, source, created_at, updated_at, issue_command_id)
           SELECT hash, kind, label, name, false, account_id, workspace_id, limit_nano_usd,
                  limit_reset, include_byok_in_limit, expires_at, creator_user_id,
                  external_user, source, issued_at, issued_at, command_id
           FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[],
                       $7::bigint[], $8::text[], $9::boolean[], $10::timestamptz[],
                       $11::text[], $12::text[], $13::text[], $14::timestamptz[], $15::text[])
                AS issued (hash, kind, label, name, account_id, workspace_id, limit_nano_usd,
                           limit_reset, include_byok_in_limit, expires_at, creator_user_id,
                           external_user, source, issued_at, command_id)
           ON CONFLICT (hash) DO NOTHING`,
    values: [
      issued.map(({ hash }) => hash),
      issued.map(({ kind }) => kind),
      issued.map(({ label }) => label),
      issued.map(({ name }) => name),
      issued.map(({ accountId }) => accountId),
      issued.map(({ workspaceId }) => workspaceId),
      issued.map(({ limitNanoUsd }) => limitNanoUsd),
      issued.map(({ limitReset }) => limitReset),
      issued.map(({ includeByokInLimit }) => includeByokInLimit),
      issued.map(({ expiresAt }) => expiresAt),
      issued.map(({ creatorUserId }) => creatorUserId),
      issued.map(({ externalUser }) => externalUser),
      issued.map(({ source }) => source),
      issued.map(({ issuedAt }) => issuedAt),
      issued.map(({ commandId }) => commandId),
    ],
  });
}
