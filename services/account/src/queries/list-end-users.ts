import type { AccountReads } from '@sluice/read-model';
import { endUserColumns, type EndUserRow } from './end-user-row.ts';

export interface EndUserQuestion {
  readonly accountId: string;
  /** null: all. */
  readonly user: string | null;
  readonly includeInactive: boolean;
  readonly offset: number;
  readonly limit: number;
}

export interface EndUserPage {
  readonly endUsers: readonly EndUserRow[];
  /** The number of rows of all pages. */
  readonly totalCount: number;
}

const wanted = `account_id = $1 AND ($2::text IS NULL OR end_user = $2) AND (is_active OR $3)`;

/** Registered end users of an organization by code point. */
export async function listEndUsers(
  readModel: AccountReads,
  { accountId, user, includeInactive, offset, limit }: EndUserQuestion,
): Promise<EndUserPage> {
  const values = [accountId, user, includeInactive] as const;
  const endUsers = await readModel.forAccount(accountId).query<EndUserRow>({
    name: 'list-end-users',
    text: `SELECT ${endUserColumns} FROM end_users WHERE ${wanted}
           ORDER BY end_user OFFSET $4 LIMIT $5`,
    values: [...values, offset, limit],
  });
  const [counted] = await readModel.forAccount(accountId).query<{ total: number }>({
    name: 'count-end-users',
    text: `SELECT count(*)::int AS total FROM end_users WHERE ${wanted}`,
    values,
  });
  return { endUsers, totalCount: counted?.total ?? 0 };
}
