import type { Question } from '@sluice/analytics-model';
import type { EntityName } from '../analytics-store.ts';
import type { ClickHouse } from './engine.ts';

const columns = ['account_id', 'kind', 'entity_id', 'name', 'email', 'named_at'];

/** Writes names. The newest of each counts. */
export async function writeNames(
  clickHouse: ClickHouse,
  names: readonly EntityName[],
): Promise<void> {
  const rows = names.map(({ accountId, kind, entityId, name, email, namedAt }) => [
    accountId,
    kind,
    entityId,
    name,
    email,
    new Date(namedAt).toISOString().replace('T', ' ').slice(0, 23),
  ]);
  await clickHouse.insert({ table: 'names', columns, rows });
}

/** Returns a warning for each key of a filter that the account does not have. */
export async function warningsOfKeys(
  clickHouse: ClickHouse,
  accountId: string,
  { filters }: Question,
): Promise<readonly string[]> {
  const asked = new Set(
    filters.filter(({ field }) => field === 'api_key_id').flatMap(({ values }) => values),
  );
  if (asked.size === 0) return [];
  const known = await clickHouse.query<{ entityId: string }>({
    text: `SELECT DISTINCT entity_id AS entityId FROM names
      WHERE account_id = {account:String} AND kind = 'key' AND entity_id IN {keys:Array(String)}`,
    values: { account: accountId, keys: [...asked] },
  });
  for (const { entityId } of known) asked.delete(entityId);
  return [...asked].map((value) => `filters: the account has no key ${value}`);
}
