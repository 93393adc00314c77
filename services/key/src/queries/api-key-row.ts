/** A key as the read model shows it. */
export interface ApiKeyRow {
  readonly hash: string;
  readonly kind: 'regular' | 'management';
  readonly label: string;
  readonly name: string;
  readonly disabled: boolean;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly limitNanoUsd: bigint | null;
  readonly limitReset: 'daily' | 'weekly' | 'monthly' | null;
  readonly includeByokInLimit: boolean;
  readonly expiresAt: Date | null;
  readonly creatorUserId: string | null;
  readonly externalUser: string | null;
  readonly source: 'api' | 'dashboard' | 'connect_client';
  /** To the minute; null: never. */
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `
  SELECT hash, kind, label, name, disabled, key.account_id AS "accountId",
    workspace_id AS "workspaceId", limit_nano_usd AS "limitNanoUsd", limit_reset AS "limitReset",
    include_byok_in_limit AS "includeByokInLimit", expires_at AS "expiresAt",
    creator_user_id AS "creatorUserId", external_user AS "externalUser", source,
    created_at AS "createdAt", updated_at AS "updatedAt", last_used_at AS "lastUsedAt"`;
const uses = 'LEFT JOIN key_uses ON key_uses.account_id = key.account_id AND key_hash = hash';

/** SELECT … FROM …: the columns of an ApiKeyRow, of the rows of `api_keys` as `key`. */
export const selectApiKeys = `${columns} FROM api_keys AS key ${uses}`;

/** The same of some of these rows, `SELECT * FROM api_keys …`: when others were used is not looked up. */
export function selectSomeApiKeys(rows: string): string {
  return `${columns} FROM (${rows}) AS key ${uses}`;
}
