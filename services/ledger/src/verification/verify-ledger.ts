import { openDatabase, type Queryable } from '@sluice/read-model';
import { type Check, checks } from './checks.ts';
import { checksOfDay } from './checks-of-day.ts';
import { factLog } from './fact-log-check.ts';
import { requireArchives, shadowDay, shadowTables } from './shadow-tables.ts';

export { ArchiveUnreadable } from './shadow-tables.ts';

/** A row that is not what the facts give. JSON texts; null: there is no such row. */
export interface LedgerDifference {
  readonly check: string;
  readonly key: string;
  readonly stored: string | null;
  readonly expected: string | null;
}

export interface CheckResult {
  readonly check: string;
  /** That were compared. */
  readonly rows: bigint;
  readonly differing: bigint;
}

export interface Verification {
  readonly facts: bigint;
  readonly credits: bigint;
  readonly results: readonly CheckResult[];
  /** The first ones of each check, in the order of the key. */
  readonly differences: readonly LedgerDifference[];
}

const differencesMaxDefault = 20;
/** All facts are read: that takes its time. */
const statementTimeoutMs = 3_600_000;

/** A statement is given up from outside by ending the process; `schema` is of tests only. */
export interface VerificationOptions {
  readonly postgresUrl: string;
  readonly schema?: string;
  /** The number of differences that are shown of each check; 20 when absent. */
  readonly differencesMax?: number;
  /** The folder of the archives. Needed if facts are archived. */
  readonly archive?: string | undefined;
  /** `2026-11-18`: compares only what the facts give that were admitted on this day of UTC. */
  readonly day?: string | undefined;
}

/**
 * Recomputes from usage facts and credits all that is derived from them, and compares. Writes nothing and
 * blocks no writer: PostgreSQL sums one read-only snapshot, and spills to disk what its memory cannot
 * hold. Archived facts are read into temporary tables first. Throws Fault read_model_unavailable and ArchiveUnreadable.
 */
export async function verifyLedger(options: VerificationOptions): Promise<Verification> {
  const { postgresUrl: url, schema = 'ledger', differencesMax = differencesMaxDefault } = options;
  const { archive, day } = options;
  const all = [...checks, factLog];
  const chosen = day === undefined ? all : checksOfDay(all, day);
  const database = openDatabase({ url, schema, connectionsMax: 1, statementTimeoutMs });
  try {
    const connection = await database.connect();
    try {
      const archives = await shadowTables(connection, schema, { archive, day });
      return await connection.transaction(async (transaction) => {
        await transaction.query({
          text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
          values: [],
        });
        await requireArchives(transaction, day, archives);
        if (day !== undefined) await shadowDay(transaction, day);
        await transaction.query({ text: 'SET TRANSACTION READ ONLY', values: [] });
        return await verify(transaction, chosen, differencesMax);
      });
    } finally {
      await connection.close();
    }
  } finally {
    await database.stop();
  }
}

async function verify(
  transaction: Queryable,
  chosen: readonly Check[],
  differencesMax: number,
): Promise<Verification> {
  const [sources] = await transaction.query<{ facts: bigint; credits: bigint }>({
    text: `SELECT (SELECT count(*) FROM usage_facts) AS facts,
                  (SELECT count(*) FROM credits) AS credits`,
    values: [],
  });
  const results: CheckResult[] = [];
  const differences: LedgerDifference[] = [];
  for (const check of chosen) {
    const [sums] = await transaction.query<{ rows: bigint; differing: bigint }>({
      text: `SELECT count(*) AS rows, count(*) FILTER (WHERE is_different) AS differing
             FROM (${comparisonOf(check)}) AS compared`,
      values: [],
    });
    const { rows, differing } = sums ?? { rows: 0n, differing: 0n };
    results.push({ check: check.name, rows, differing });
    if (differing === 0n) continue;
    const found = await transaction.query<Omit<LedgerDifference, 'check'>>({
      text: `SELECT key::text, stored::text, expected::text FROM (${comparisonOf(check)}) AS compared
             WHERE is_different ORDER BY key LIMIT $1`,
      values: [differencesMax],
    });
    differences.push(...found.map((row) => ({ check: check.name, ...row })));
  }
  return { facts: sources?.facts ?? 0n, credits: sources?.credits ?? 0n, results, differences };
}

/** Both sides as text, exactly as they were compared. */
function comparisonOf({ key, values, expected, stored }: Check): string {
  const side = (name: string) =>
    `CASE WHEN ${name}.is_there THEN json_build_object(${pairs(values, name)})::text END`;
  return `
    SELECT json_build_object(${pairs(key)})::text AS key,
      ${side('stored')} AS stored, ${side('expected')} AS expected,
      ${side('stored')} IS DISTINCT FROM ${side('expected')} AS is_different
    FROM (SELECT *, true AS is_there FROM (${stored}) AS rows) AS stored
    FULL JOIN (SELECT *, true AS is_there FROM (${expected}) AS rows) AS expected
      USING (${key.join(', ')})`;
}

function pairs(names: readonly string[], of?: string): string {
  return names.map((name) => `'${name}', ${of ? `${of}.` : ''}${name}`).join(', ');
}
