import { envelopeOf, rowOf, type SealedRow } from '@sluice/sealed-secrets';
import type { Envelope } from '@sluice/envelope';
import type { Queryable } from '@sluice/read-model';

/** A command that issues a key, and the hash that it will have. */
export interface IssueAttempt {
  readonly accountId: string;
  readonly commandId: string;
  readonly hash: string;
  /** The secret of the key, sealed; null: it is not kept. */
  readonly sealed: Envelope | null;
}

export interface NotedAttempt {
  readonly hash: string;
  /** Since it was noted. */
  readonly ageMs: number;
  /** If undefined, the secret was not kept, was delivered, or is older than 10 minutes. */
  readonly sealed: Envelope | undefined;
}

export type IssueCommand = Pick<IssueAttempt, 'accountId' | 'commandId'>;

/** The notes by which a repeated command is known, also to another process. */
export interface IssueAttempts {
  /** Notes the attempt unless there is a note of this command. The answer is the note that stands. */
  note(attempt: IssueAttempt): Promise<NotedAttempt>;
  /** Puts the attempt in the place of that hash; false when another one stands there by now. */
  replace(attempt: IssueAttempt, hashBefore: string): Promise<boolean>;
  /** Erases the secret that is kept for a command. */
  eraseSecret(command: IssueCommand): Promise<void>;
  /** Erases the secrets that were kept for 10 minutes. */
  eraseOldSecrets(): Promise<void>;
}

const secretMinutesMax = 10;

interface Row extends Partial<SealedRow> {
  readonly hash: string;
  readonly ageMs: number;
}

export function issueAttempts(database: Queryable): IssueAttempts {
  return {
    async note(attempt) {
      const [noted] = await database.query<Row>({
        name: 'note-issue-attempt',
        // Updates the row to its own value, so that an existing row is returned as well.
        text: `INSERT INTO issue_attempts AS noted
                 (account_id, command_id, hash, key_version, wrapped_key, ciphertext)
               VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (account_id, command_id) DO UPDATE SET hash = noted.hash
               RETURNING hash, (extract(epoch FROM now() - noted_at) * 1000)::float8 AS "ageMs",
                 key_version AS "keyVersion", wrapped_key AS "wrappedKey",
                 CASE WHEN noted_at > now() - make_interval(mins => $7) THEN ciphertext END
                   AS ciphertext`,
        values: [...valuesOf(attempt), secretMinutesMax],
      });
      if (!noted) return { hash: attempt.hash, ageMs: 0, sealed: attempt.sealed ?? undefined };
      const { hash, ageMs, keyVersion, wrappedKey, ciphertext } = noted;
      const isKept = keyVersion && wrappedKey && ciphertext;
      const sealed = isKept ? envelopeOf({ keyVersion, wrappedKey, ciphertext }) : undefined;
      return { hash, ageMs, sealed };
    },
    async replace(attempt, hashBefore) {
      const replaced = await database.query({
        name: 'replace-issue-attempt',
        text: `UPDATE issue_attempts SET hash = $3, noted_at = now(),
                 key_version = $4, wrapped_key = $5, ciphertext = $6
               WHERE account_id = $1 AND command_id = $2 AND hash = $7 RETURNING hash`,
        values: [...valuesOf(attempt), hashBefore],
      });
      return replaced.length > 0;
    },
    async eraseSecret({ accountId, commandId }) {
      await database.query({
        name: 'erase-issued-secret',
        text: `UPDATE issue_attempts SET key_version = NULL, wrapped_key = NULL, ciphertext = NULL
               WHERE account_id = $1 AND command_id = $2 AND ciphertext IS NOT NULL`,
        values: [accountId, commandId],
      });
    },
    async eraseOldSecrets() {
      await database.query({
        name: 'erase-old-issued-secrets',
        text: `UPDATE issue_attempts SET key_version = NULL, wrapped_key = NULL, ciphertext = NULL
               WHERE ciphertext IS NOT NULL AND noted_at <= now() - make_interval(mins => $1)`,
        values: [secretMinutesMax],
      });
    },
  };
}

function valuesOf({ accountId, commandId, hash, sealed }: IssueAttempt) {
  const row = sealed && rowOf(sealed);
  const { keyVersion = null, wrappedKey = null, ciphertext = null } = row ?? {};
  return [accountId, commandId, hash, keyVersion, wrappedKey, ciphertext] as const;
}
