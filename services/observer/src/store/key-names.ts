import type { Queryable } from '@sluice/read-model';

interface KeyName {
  readonly accountId: string;
  readonly keyHash: string;
  readonly name: string;
  readonly namedAt: string;
}

/** Keeps the newest name of each key. */
export async function storeKeyNames(
  connection: Queryable,
  names: readonly KeyName[],
): Promise<void> {
  const newest = new Map<string, KeyName>();
  for (const one of names) {
    const key = `${one.accountId}/${one.keyHash}`;
    const known = newest.get(key);
    if (!known || known.namedAt <= one.namedAt) newest.set(key, one);
  }
  const rows = [...newest.values()];
  if (rows.length === 0) return;
  await connection.query({
    text: `INSERT INTO key_names (account_id, key_hash, name, named_at)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
      ON CONFLICT (account_id, key_hash) DO UPDATE SET name = excluded.name, named_at = excluded.named_at
      WHERE key_names.named_at <= excluded.named_at`,
    values: [
      rows.map(({ accountId }) => accountId),
      rows.map(({ keyHash }) => keyHash),
      rows.map(({ name }) => name),
      rows.map(({ namedAt }) => namedAt),
    ],
  });
}

/** Returns the names of an account's keys by their hash. */
export async function readKeyNames(
  connection: Queryable,
  accountId: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await connection.query<{ keyHash: string; name: string }>({
    text: `SELECT key_hash AS "keyHash", name FROM key_names WHERE account_id = $1 AND key_hash = ANY ($2::text[])`,
    values: [accountId, [...new Set(hashes)]],
  });
  return new Map(rows.map(({ keyHash, name }) => [keyHash, name]));
}
