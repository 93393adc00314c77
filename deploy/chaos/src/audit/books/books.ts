import { readFile } from 'node:fs/promises';
import type { Queryable } from '@sluice/read-model';
import type { Receipt, UsageRow } from './reconcile.ts';

export interface Books {
  rows(): Promise<readonly UsageRow[]>;
  /** Returns the number of completed calls of a tool of the sandbox, with their metered time, by generation. */
  calls(tool: string): Promise<ReadonlyMap<string, number>>;
  /** Returns the differences from the rows, in sentences. */
  audit(): Promise<readonly string[]>;
  /** Returns the amount over the limits now (charged, in suspense and leased), summed over all budgets. */
  overspendNanoUsd(): Promise<bigint>;
}

/** The ledger's tables, read past the service. */
export function booksOf(database: Queryable): Books {
  return {
    rows: () => readRows(database),
    calls: (tool) => readCalls(database, tool),
    audit: () => findings(database),
    async overspendNanoUsd() {
      const [sum] = await query<{ overspend: string }>(database, overspend);
      return BigInt(sum?.overspend ?? 0);
    },
  };
}

/** The books of the provider and of its search engines; a last line that is being written is left out. */
export async function readReceipts(file: string): Promise<readonly Receipt[]> {
  const searches = readFile(file.replace(/\.jsonl$/, '-searches.jsonl'), 'utf8');
  const texts = [readFile(file, 'utf8'), searches.catch(noFile)];
  const lines = (await Promise.all(texts)).flatMap((text) => text.split('\n').slice(0, -1));
  return lines.map((line) => JSON.parse(line) as Receipt);
}

/** The simulator makes the file with its first search. */
function noFile(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

interface StoredRow {
  readonly usage_id: string;
  readonly upstream_id: string;
  readonly outcome: string;
  readonly cost: string;
  readonly upstream_cost: string;
  readonly suspended: string | null;
}

async function readRows(database: Queryable): Promise<readonly UsageRow[]> {
  const stored = await query<StoredRow>(
    database,
    `SELECT usage_id, usage_facts.upstream_id, outcome, cost_nano_usd::text AS cost,
       coalesce(upstream_cost_nano_usd, cost_nano_usd)::text AS upstream_cost,
       (suspended_nano_usd + operator_suspended_nano_usd)::text AS suspended
     FROM usage_facts
     LEFT JOIN (
       SELECT usage_id, suspended_nano_usd, operator_suspended_nano_usd FROM estimates
       WHERE corrected_at IS NULL
     ) AS estimate USING (usage_id)`,
  );
  return stored.map((row) => ({
    usageId: row.usage_id,
    upstreamId: row.upstream_id,
    outcome: row.outcome,
    costNanoUsd: BigInt(row.cost),
    upstreamCostNanoUsd: BigInt(row.upstream_cost),
    suspendedNanoUsd: row.suspended === null ? undefined : BigInt(row.suspended),
  }));
}

async function readCalls(database: Queryable, tool: string): Promise<ReadonlyMap<string, number>> {
  const text = `SELECT generation_id, count(*)::int AS calls FROM usage_facts
     WHERE tool_type = $1 AND outcome = 'completed' AND (special_tokens ->> 'seconds')::int > 0
     GROUP BY generation_id`;
  const rows = await database.query<{ generation_id: string; calls: number }>({
    text,
    values: [tool],
  });
  return new Map(rows.map((row) => [row.generation_id, row.calls]));
}

const windows = (kind: string, id: string) => `
  ('${kind}', ${id}, 'daily', date_trunc('day', admitted_at, 'UTC')),
  ('${kind}', ${id}, 'weekly', date_trunc('week', admitted_at, 'UTC')),
  ('${kind}', ${id}, 'monthly', date_trunc('month', admitted_at, 'UTC'))`;

/** Every counter is made again from the rows, in SQL of our own. With an own credential credits pay its fee. */
const counters = `
  WITH fact AS (
    SELECT *, CASE WHEN is_byok THEN fee_nano_usd ELSE cost_nano_usd END AS paid,
      CASE WHEN is_byok THEN cost_nano_usd ELSE 0 END AS own
    FROM usage_facts
  ), scoped AS (
    SELECT account_id, scope_kind, scope_id, window_kind, window_start, paid, own
    FROM fact, LATERAL (VALUES
      ('account', account_id, 'lifetime', timestamptz 'epoch'),
      ('key', key_hash, 'lifetime', timestamptz 'epoch'),
      ('workspace', workspace_id, 'lifetime', timestamptz 'epoch'),
      ${windows('key', 'key_hash')}, ${windows('workspace', 'workspace_id')}
    ) AS place (scope_kind, scope_id, window_kind, window_start)
    UNION ALL
    SELECT account_id, scope_kind, scope_id, window_kind, window_start, paid, own
    FROM fact, unnest(guardrail_scopes) AS guardrail,
      LATERAL (VALUES ${windows('guardrail', 'guardrail')})
        AS place (scope_kind, scope_id, window_kind, window_start)
    UNION ALL
    SELECT account_id, 'allowance', account_id, 'monthly', date_trunc('month', admitted_at, 'UTC'),
      0, free_nano_usd
    FROM fact
  ), again AS (
    SELECT account_id, scope_kind, scope_id, window_kind, window_start, sum(paid) AS amount,
      sum(own) AS own
    FROM scoped GROUP BY 1, 2, 3, 4, 5
  )
  SELECT scope_kind || ' ' || scope_id || ' ' || window_kind || ' counts '
    || coalesce(credits_nano_usd::text, 'nothing') || ' where its rows say '
    || coalesce(amount::text, 'nothing') || coalesce(', and ' || byok_nano_usd || ' of own for ' || own, '')
    AS finding
  FROM again
  FULL JOIN counters USING (account_id, scope_kind, scope_id, window_kind, window_start)
  WHERE coalesce(amount, 0) IS DISTINCT FROM coalesce(credits_nano_usd, 0)
    OR coalesce(own, 0) IS DISTINCT FROM coalesce(byok_nano_usd, 0)`;

const transfers = `
  SELECT 'account ' || account_id || ' has spent ' || coalesce(spent, 0) || ' in the books where its rows cost '
    || coalesce(cost, 0) AS finding
  FROM (
    SELECT account_id, sum(amount_nano_usd) AS spent FROM postings
    WHERE book IN ('revenue', 'byok_usage') GROUP BY account_id
  ) AS book
  FULL JOIN (
    SELECT account_id, sum(cost_nano_usd + fee_nano_usd) AS cost FROM usage_facts GROUP BY account_id
  ) AS fact USING (account_id)
  WHERE coalesce(spent, 0) <> coalesce(cost, 0)`;

/**
 * Attempts of a turn that failed before another one served cost the customer nothing. The last part of a usage id is
 * its turn. Each call of a tool has a row of its own.
 */
const generations = `
  SELECT 'turn ' || turn || ' of generation ' || generation_id || ' has ' || count(*) || ' rows' AS finding
  FROM (SELECT *, substring(usage_id FROM '[0-9]+$') AS turn FROM usage_facts) AS fact
  WHERE usage_id NOT LIKE '%/tool/%' AND (outcome <> 'failed' OR cost_nano_usd > 0)
  GROUP BY generation_id, turn HAVING count(*) > 1`;

const gaps = `
  SELECT 'epoch ' || epoch || ' of ' || replica || ' has gaps: ' || settled AS finding
  FROM watermarks WHERE settled <> int8multirange(int8range(1, upper(settled)))`;

/** A usage that cannot be true is kept among the dead letters. Its fact is counted all the same. */
const deadLetters = `
  SELECT 'dead letter: ' || reason AS finding FROM dead_letters
  WHERE subject NOT LIKE 'provider.usage.%'`;

const overleased = `
  SELECT 'lease ' || number || ' of epoch ' || epoch || ' paid for more than was granted' AS finding
  FROM leases WHERE returned_nano_usd + counted_nano_usd > granted_nano_usd`;

/** Charged, in suspense and on lease, of each budget, beyond its limit: in one snapshot. */
const overspend = `
  WITH used AS (
    SELECT account_id, scope_kind, scope_id, window_kind, window_start, sum(amount) AS amount,
      sum(own) AS own
    FROM (
      SELECT account_id, scope_kind, scope_id, window_kind, window_start, credits_nano_usd AS amount,
        byok_nano_usd AS own
      FROM counters
      UNION ALL
      SELECT account_id, scope_kind, scope_id, window_kind, window_start, credits_nano_usd, byok_nano_usd
      FROM suspended
      UNION ALL
      SELECT account_id, scope_kind, scope_id, window_kind, window_start,
        greatest(0, granted_nano_usd - returned_nano_usd - counted_nano_usd), 0
      FROM leases
    ) AS part
    GROUP BY 1, 2, 3, 4, 5
  )
  SELECT coalesce(sum(greatest(0,
    amount + CASE WHEN include_byok THEN own ELSE 0 END - limit_nano_usd
  )), 0)::text AS overspend
  FROM used JOIN limits ON (limits.account_id, limits.scope_kind, limits.scope_id, limits.window_kind)
    = (used.account_id, used.scope_kind, split_part(used.scope_id, ':', 1), used.window_kind)`;

async function findings(database: Queryable): Promise<readonly string[]> {
  const found: string[] = [];
  for (const text of [counters, transfers, generations, gaps, deadLetters, overleased])
    for (const { finding } of await query<{ finding: string }>(database, text)) found.push(finding);
  return found;
}

async function query<Row extends object>(
  database: Queryable,
  text: string,
): Promise<readonly Row[]> {
  return await database.query<Row>({ text, values: [] });
}
