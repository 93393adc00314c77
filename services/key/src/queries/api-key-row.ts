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
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The columns of an ApiKeyRow. */
export const apiKeyColumns = `
  hash, kind, label, name, disabled, account_id AS "accountId", workspace_id AS "workspaceId",
  limit_nano_usd AS "limitNanoUsd", limit_reset AS "limitReset",
  include_byok_in_limit AS "includeByokInLimit", expires_at AS "expiresAt",
  creator_user_id AS "creatorUserId", created_at AS "createdAt", updated_at AS "updatedAt"`;
