import type { Queryable } from '@sluice/read-model';

/** A command that issues a key, and the hash that it will have. */
export interface IssueAttempt {
  readonly accountId: string;
  readonly commandId: string;
  readonly hash: string;
}

export interface NotedAttempt {
  readonly hash: string;
  /** Since it was noted. */
  readonly ageMs: number;
}

/** The notes by which a repeated command is known, also to another process. */
export interface IssueAttempts {
  /** Notes the attempt unless there is a note of this command. The answer is the note that stands. */
  note(attempt: IssueAttempt): Promise<NotedAttempt>;
  /** Puts the attempt in the place of that hash; false when another one stands there by now. */
  replace(attempt: IssueAttempt, hashBefore: string): Promise<boolean>;
}

export function issueAttempts(database: Queryable): IssueAttempts {
  return {
    async note({ accountId, commandId, hash }) {
      const [noted] = await database.query<NotedAttempt>({
        name: 'note-issue-attempt',
        // Updated to what it is: a row that is there already is answered as well.
        text: `INSERT INTO issue_attempts (account_id, command_id, hash) VALUES ($1, $2, $3)
               ON CONFLICT (account_id, command_id) DO UPDATE SET hash = issue_attempts.hash
               RETURNING hash, (extract(epoch FROM now() - noted_at) * 1000)::float8 AS "ageMs"`,
        values: [accountId, commandId, hash],
      });
      return noted ?? { hash, ageMs: 0 };
    },
    async replace({ accountId, commandId, hash }, hashBefore) {
      const replaced = await database.query({
        name: 'replace-issue-attempt',
        text: `UPDATE issue_attempts SET hash = $3, noted_at = now()
               WHERE account_id = $1 AND command_id = $2 AND hash = $4 RETURNING hash`,
        values: [accountId, commandId, hash, hashBefore],
      });
      return replaced.length > 0;
    },
  };
}
