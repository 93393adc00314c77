import type { AccountReads } from '@sluice/read-model';
import type { Page } from './list-workspaces.ts';

/** The role that each source gives to a member; null: none. */
export interface MemberRow {
  readonly userId: string;
  readonly manualRole: 'admin' | 'member' | null;
  readonly directoryRole: 'admin' | 'member' | null;
  readonly createdAt: Date;
}

export interface MembersOf {
  readonly accountId: string;
  readonly workspaceId: string;
}

const memberColumns = `user_id AS "userId", manual_role AS "manualRole",
  directory_role AS "directoryRole", created_at AS "createdAt"`;

/** A page of those that were added, the longest members first. */
export async function listWorkspaceMembers(
  readModel: AccountReads,
  { accountId, workspaceId, offset, limit }: MembersOf & Page,
): Promise<readonly MemberRow[]> {
  return await readModel.forAccount(accountId).query<MemberRow>({
    name: 'list-workspace-members',
    text: `SELECT ${memberColumns} FROM workspace_members
           WHERE account_id = $1 AND workspace_id = $2
           ORDER BY created_at, user_id LIMIT $4 OFFSET $3`,
    values: [accountId, workspaceId, offset, limit],
  });
}

export async function countWorkspaceMembers(
  readModel: AccountReads,
  { accountId, workspaceId }: MembersOf,
): Promise<number> {
  const [row] = await readModel.forAccount(accountId).query<{ count: bigint }>({
    name: 'count-workspace-members',
    text: 'SELECT count(*) FROM workspace_members WHERE account_id = $1 AND workspace_id = $2',
    values: [accountId, workspaceId],
  });
  return Number(row?.count ?? 0n);
}

/** Returns the rows of the users that were added. */
export async function findWorkspaceMembers(
  readModel: AccountReads,
  { accountId, workspaceId, userIds }: MembersOf & { readonly userIds: readonly string[] },
): Promise<readonly MemberRow[]> {
  return await readModel.forAccount(accountId).query<MemberRow>({
    name: 'find-workspace-members',
    text: `SELECT ${memberColumns} FROM workspace_members
           WHERE account_id = $1 AND workspace_id = $2 AND user_id = ANY($3::text[])`,
    values: [accountId, workspaceId, userIds],
  });
}
