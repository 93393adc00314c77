import type { Question } from '@sluice/analytics-model';
import type { AccountQueryable, Queryable } from '@sluice/read-model';
import type { EntityName } from '../analytics-store.ts';

/** Keeps the newest name of each. */
export async function writeNames(
  connection: Queryable,
  names: readonly EntityName[],
): Promise<void> {
  const newest = new Map<string, EntityName>();
  for (const one of names) {
    const key = `${one.accountId}/${one.kind}/${one.entityId}`;
    const other = newest.get(key);
    if (!other || other.namedAt <= one.namedAt) newest.set(key, one);
  }
  const rows = [...newest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  if (rows.length === 0) return;
  const fields = ['accountId', 'kind', 'entityId', 'name', 'email', 'namedAt'] as const;
  await connection.query({
    name: 'write-names',
    text: `INSERT INTO names AS known (account_id, kind, entity_id, name, email, named_at)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
      ON CONFLICT (account_id, kind, entity_id) DO UPDATE
        SET name = excluded.name, email = excluded.email, named_at = excluded.named_at
        WHERE known.named_at <= excluded.named_at`,
    values: fields.map((field) => rows.map((row) => row[field])),
  });
}

/** Returns a warning for each key of a filter that the account does not have. */
export async function warningsOfKeys(
  account: AccountQueryable,
  { filters }: Question,
): Promise<readonly string[]> {
  const asked = new Set(
    filters.filter(({ field }) => field === 'api_key_id').flatMap(({ values }) => values),
  );
  if (asked.size === 0) return [];
  const known = await account.query<{ entityId: string }>({
    name: 'known-keys',
    text: `SELECT entity_id AS "entityId" FROM names
      WHERE account_id = $1 AND kind = 'key' AND entity_id = ANY($2::text[])`,
    values: [account.accountId, [...asked]],
  });
  for (const { entityId } of known) asked.delete(entityId);
  return [...asked].map((value) => `filters: the account has no key ${value}`);
}
