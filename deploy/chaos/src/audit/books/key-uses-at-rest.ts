import { openDatabase } from '@sluice/read-model';
import type { Installation } from '../../parts/installation.ts';
import { settled } from '../../waiting.ts';

const everyMs = 500;
const connectionsMax = 1;

/** A use within a minute of the one that is noted is not noted. */
const differences = `
  SELECT 'key ' || left(key_hash, 8) || ' was used last at ' || newest || ', and noted is '
    || coalesce(last_used_at::text, 'no use') AS finding
  FROM (
    SELECT account_id, key_hash, max(admitted_at) AS newest FROM ledger.usage_facts
    WHERE key_hash ~ '^[0-9a-f]{64}$' GROUP BY account_id, key_hash
  ) AS used LEFT JOIN key.key_uses USING (account_id, key_hash)
  WHERE last_used_at IS NULL OR last_used_at > newest OR last_used_at <= newest - interval '1 minute'`;

/** Compares the noted uses of keys with the usage of the ledger, once nothing changes any more. */
export async function keyUsesAtRest({
  postgresUrl: url,
}: Pick<Installation, 'postgresUrl'>): Promise<readonly string[]> {
  const database = openDatabase({ url, schema: 'key', connectionsMax });
  try {
    const differing = async () => {
      const rows = await database.query<{ finding: string }>({ text: differences, values: [] });
      return rows.map(({ finding }) => finding);
    };
    return await settled(differing, ({ length }) => length === 0, { everyMs });
  } finally {
    await database.stop();
  }
}
