/** A file as the read model shows it. */
export interface FileRow {
  readonly fileId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: bigint;
  readonly sha256: string;
  readonly createdAt: Date;
}

export const fileColumns = `file_id AS "fileId", account_id AS "accountId",
  workspace_id AS "workspaceId", name, media_type AS "mediaType", bytes, sha256,
  created_at AS "createdAt"`;
