import { openDatabase, type Queryable } from '@sluice/read-model';
import type { Installation } from '../../parts/installation.ts';
import { settled } from '../../waiting.ts';

const tables = ['facts', 'usage_hour', 'usage_day', 'usage_day_model'] as const;
const everyMs = 500;
/** Analytics reads what the bus has lost from the ledger, every 30 seconds. */
const sameLooksMax = 240;
const connectionsMax = 1;

/** Returns the tables of analytics whose credits are not those of the ledger, once nothing changes any more. */
export async function analyticsAtRest(
  { postgresUrl: url }: Pick<Installation, 'postgresUrl'>,
  customersNanoUsd: () => Promise<bigint>,
): Promise<readonly string[]> {
  const database = openDatabase({ url, schema: 'analytics', connectionsMax });
  try {
    const differing = async () => {
      const wanted = await customersNanoUsd();
      const sums = await creditsOf(database);
      return tables
        .filter((table) => sums[table] !== wanted)
        .map((table) => `analytics: ${table} has ${sums[table]} where the ledger has ${wanted}`);
    };
    return await settled(differing, ({ length }) => length === 0, { everyMs, sameLooksMax });
  } finally {
    await database.stop();
  }
}

async function creditsOf(database: Queryable): Promise<Readonly<Record<string, bigint>>> {
  const texts = tables.map(
    (table) => `SELECT '${table}' AS name,
      coalesce(sum(coalesce(service_nano_usd, 0) + coalesce(fee_nano_usd, 0)), 0)::bigint AS credits FROM ${table}`,
  );
  const rows = await database.query<{ name: string; credits: bigint }>({
    text: texts.join(' UNION ALL '),
    values: [],
  });
  return Object.fromEntries(rows.map(({ name, credits }) => [name, credits]));
}
