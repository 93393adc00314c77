import { Fault } from '@sluice/errors';
import type { Queryable } from '@sluice/read-model';

/** A workspace that is about to be deleted, or that some users are about to leave. */
export interface Closing {
  readonly accountId: string;
  readonly workspaceId: string;
  /** Empty: the workspace is deleted. */
  readonly creatorUserIds: readonly string[];
}

export interface ClosingPlace {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly creatorUserId: string | null;
}

/** The closings that are announced, in PostgreSQL. */
export interface Closings {
  /** Returns a token that names this closing. */
  begin(closing: Closing): Promise<string>;
  end(closing: { readonly accountId: string; readonly token: string }): Promise<void>;
  /** Returns true while a new key of this creator in this workspace may be lost to a closing. */
  isOpen(place: ClosingPlace): Promise<boolean>;
}

/**
 * The workspace service appends nothing later than 10 s after it began a closing. A closing that a crash left open ends
 * after this time.
 */
const secondsMax = 30;

export function closings(database: Queryable): Closings {
  return {
    async begin({ accountId, workspaceId, creatorUserIds }) {
      const [begun] = await database.query<{ token: string }>({
        name: 'begin-closing',
        text: `WITH ended AS (
                 DELETE FROM closing_workspaces WHERE account_id = $1 AND ends_at < now()
               )
               INSERT INTO closing_workspaces
                 (account_id, workspace_id, creator_user_ids, ends_at)
               VALUES ($1, $2, $3, now() + make_interval(secs => $4))
               RETURNING token`,
        values: [accountId, workspaceId, creatorUserIds, secondsMax],
      });
      if (!begun) throw new Fault('internal');
      return begun.token;
    },
    async end({ accountId, token }) {
      await database.query({
        name: 'end-closing',
        text: 'DELETE FROM closing_workspaces WHERE account_id = $1 AND token = $2',
        values: [accountId, token],
      });
    },
    async isOpen({ accountId, workspaceId, creatorUserId }) {
      const open = await database.query({
        name: 'find-closing',
        text: `SELECT 1 FROM closing_workspaces
               WHERE account_id = $1 AND workspace_id = $2 AND ends_at > now()
                 AND (cardinality(creator_user_ids) = 0 OR $3 = ANY(creator_user_ids))
               LIMIT 1`,
        values: [accountId, workspaceId, creatorUserId],
      });
      return open.length > 0;
    },
  };
}
