import type { Queryable } from '@sluice/read-model';

/** Stores the digest unless there is one. Returns what the database has: with several writers, that of the first. */
export async function storePepperCheck(
  database: Queryable,
  version: number,
  digest: string,
): Promise<string> {
  await database.query({
    name: 'store-pepper-check',
    text: 'INSERT INTO pepper_checks (version, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    values: [version, digest],
  });
  return (await findPepperCheck(database, version)) ?? digest;
}

export async function findPepperCheck(
  database: Queryable,
  version: number,
): Promise<string | undefined> {
  const [row] = await database.query<{ digest: string }>({
    name: 'find-pepper-check',
    text: 'SELECT digest FROM pepper_checks WHERE version = $1',
    values: [version],
  });
  return row?.digest;
}
