import type { Projection } from '../projection.ts';
import { isPlainName } from '../statement.ts';
import { RebuildRefused } from './refused.ts';
import type { Shadow } from './shadow.ts';

/**
 * Takes the indexes that only readers use away from the shadow's tables: they are made in a third of the time once the
 * rows are there. What keeps something unique stays. Returns the statements that make them again. Throws RebuildRefused
 * for a name that is no plain one.
 */
export async function dropReadingIndexes(
  { connection, schema }: Pick<Shadow, 'connection' | 'schema'>,
  { readingIndexes = [] }: Projection,
): Promise<readonly string[]> {
  const wrong = readingIndexes.find((name) => !isPlainName(name));
  if (wrong !== undefined) throw new RebuildRefused(`"${wrong}" is no plain name.`);
  const found = await connection.query<{ name: string; definition: string }>({
    text: `SELECT relname AS name, pg_get_indexdef(indexrelid) AS definition
           FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
           WHERE relnamespace = to_regnamespace($1) AND relname = ANY ($2) AND NOT indisunique
           ORDER BY relname`,
    values: [schema, readingIndexes],
  });
  for (const { name } of found)
    await connection.query({ text: `DROP INDEX "${schema}"."${name}"`, values: [] });
  return found.map(({ definition }) => definition);
}
