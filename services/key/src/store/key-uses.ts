import type { Queryable } from '@sluice/read-model';

export interface KeyUse {
  readonly accountId: string;
  readonly keyHash: string;
  /** ISO 8601 UTC. */
  readonly usedAt: string;
}

/** Notes when keys were last used. A use within a minute of the one that is noted writes nothing. */
export async function noteKeyUses(database: Queryable, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length === 0) return;
  await database.query({
    name: 'note-key-uses',
    text: `INSERT INTO key_uses AS noted (account_id, key_hash, last_used_at)
           SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[])
           ON CONFLICT (account_id, key_hash) DO UPDATE SET last_used_at = excluded.last_used_at
           WHERE noted.last_used_at <= excluded.last_used_at - interval '1 minute'`,
    values: [
      uses.map(({ accountId }) => accountId),
      uses.map(({ keyHash }) => keyHash),
      uses.map(({ usedAt }) => usedAt),
    ],
  });
}
