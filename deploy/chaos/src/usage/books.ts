import { readFile } from 'node:fs/promises';
import type { Queryable } from '@sluice/read-model';
import type { Receipt, UsageRow } from './reconcile.ts';

export interface Books {
  rows(): Promise<readonly UsageRow[]>;
  /** What is not as the rows alone say, in sentences. */
  audit(): Promise<readonly string[]>;
  /** By how much what was billed is over the limits, all budgets together. */
  overspendNanoUsd(): Promise<bigint>;
}

/** The author under which the simulator's models are offered. */
const author = /^sim\//;

/** The ledger's tables, read past the service. */
export function booksOf(database: Queryable): Books {
  return {
    rows: () => readRows(database),
    audit: () => findings(database),
    async overspendNanoUsd() {
      const [sum] = await query<{ overspend: string }>(database, overspend);
      return BigInt(sum?.overspend ?? 0);
    },
  };
}

/** The provider's books; a last line that is being written is left out. */
export async function readReceipts(file: string): Promise<readonly Receipt[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Receipt);
}

interface StoredRow {
  readonly usage_id: string;
  readonly upstream_id: string;
  readonly model: string;
  readonly cost: string;
  readonly outcome: string;
  readonly estimated: boolean;
}

async function readRows(database: Queryable): Promise<readonly UsageRow[]> {
  const stored = await query<StoredRow>(
    database,
    `SELECT usage_id, upstream_id, model, cost_nano_usd::text AS cost, outcome, estimated
     FROM usage_facts`,
  );
  return stored.map((row) => ({
    usageId: row.usage_id,
    upstreamId: row.upstream_id,
    model: row.model.replace(author, ''),
    costNanoUsd: BigInt(row.cost),
    outcome: row.outcome,
    isEstimated: row.estimated,
  }));
}

/** Every counter is made again from the rows, in SQL of our own. */
const counters = `
  WITH scoped AS (
    SELECT account_id, scope_kind, scope_id, window_kind, window_start, cost_nano_usd
    FROM usage_facts, LATERAL (VALUES
      ('account', account_id, 'lifetime', timestamptz 'epoch'),
      ('key', key_hash, 'lifetime', timestamptz 'epoch'),
      ('key', key_hash, 'daily', date_trunc('day', admitted_at, 'UTC')),
      ('key', key_hash, 'weekly', date_trunc('week', admitted_at, 'UTC')),
      ('key', key_hash, 'monthly', date_trunc('month', admitted_at, 'UTC')),
      ('workspace', workspace_id, 'lifetime', timestamptz 'epoch'),
      ('workspace', workspace_id, 'daily', date_trunc('day', admitted_at, 'UTC')),
      ('workspace', workspace_id, 'weekly', date_trunc('week', admitted_at, 'UTC')),
      ('workspace', workspace_id, 'monthly', date_trunc('month', admitted_at, 'UTC'))
    ) AS place (scope_kind, scope_id, window_kind, window_start)
    UNION ALL
    SELECT account_id, 'guardrail', scope_id, window_kind, window_start, cost_nano_usd
    FROM usage_facts, LATERAL unnest(guardrail_scopes) AS scope_id, LATERAL (VALUES
      ('daily', date_trunc('day', admitted_at, 'UTC')),
      ('weekly', date_trunc('week', admitted_at, 'UTC')),
      ('monthly', date_trunc('month', admitted_at, 'UTC'))
    ) AS place (window_kind, window_start)
  ), again AS (
    SELECT account_id, scope_kind, scope_id, window_kind, window_start, sum(cost_nano_usd) AS amount
    FROM scoped GROUP BY 1, 2, 3, 4, 5
  )
  SELECT scope_kind || ' ' || scope_id || ' ' || window_kind || ' counts '
    || coalesce(credits_nano_usd::text, 'nothing') || ' where its rows say '
    || coalesce(amount::text, 'nothing') AS finding
  FROM again
  FULL JOIN counters USING (account_id, scope_kind, scope_id, window_kind, window_start)
  WHERE coalesce(amount, 0) IS DISTINCT FROM coalesce(credits_nano_usd, 0)`;

const generations = `
  SELECT 'generation ' || generation_id || ' has ' || count(*) || ' rows' AS finding
  FROM usage_facts GROUP BY generation_id HAVING count(*) > 1`;

const gaps = `
  SELECT 'epoch ' || epoch || ' of ' || replica || ' has gaps: ' || settled AS finding
  FROM watermarks WHERE settled <> int8multirange(int8range(1, upper(settled)))`;

const deadLetters = `SELECT 'dead letter: ' || reason AS finding FROM dead_letters`;

const overleased = `
  SELECT 'lease ' || number || ' of epoch ' || epoch || ' paid for more than was granted' AS finding
  FROM leases WHERE returned_nano_usd + counted_nano_usd > granted_nano_usd`;

const overspend = `
  SELECT coalesce(sum(greatest(0, spent - limit_nano_usd)), 0)::text AS overspend
  FROM limits JOIN LATERAL (
    SELECT coalesce(sum(cost_nano_usd), 0) AS spent FROM usage_facts
    WHERE usage_facts.account_id = limits.account_id AND (limits.scope_kind = 'account'
      OR (limits.scope_kind = 'key' AND usage_facts.key_hash = limits.scope_id)
      OR (limits.scope_kind = 'workspace' AND usage_facts.workspace_id = limits.scope_id))
  ) AS sums ON true
  WHERE window_kind = 'lifetime'`;

async function findings(database: Queryable): Promise<readonly string[]> {
  const found: string[] = [];
  for (const text of [counters, generations, gaps, deadLetters, overleased])
    for (const { finding } of await query<{ finding: string }>(database, text)) found.push(finding);
  return found;
}

async function query<Row extends object>(
  database: Queryable,
  text: string,
): Promise<readonly Row[]> {
  return await database.query<Row>({ text, values: [] });
}
