import type { Queryable } from '@sluice/read-model';
import { accountId } from '../analytics/year-of-facts.ts';
import { showProgress } from '../program.ts';

const rowsOfStep = 500_000;

const facts = `
  INSERT INTO usage_facts (usage_id, generation_id, request_id, account_id, workspace_id, key_hash, model,
    provider, upstream_id, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost_nano_usd,
    is_byok, streamed, outcome, finish_reason, estimated, admitted_at, completed_at, replica, epoch, sequence)
  SELECT id || '/1/1', id, 'req_' || n, '${accountId}', 'ws_1', 'key' || n % 200, 'vendor/model-' || n % 50,
    'simulator', 'resp_' || n, 100, 0, 200, 0, 1000, false, false, 'completed', 'stop', false, at, at,
    'earlier', 1, n
  FROM (
    SELECT n, at, 'gen-' || left(ms, 8) || '-' || right(ms, 4) || '-7' || substr(gen_random_uuid()::text, 16) AS id
    FROM generate_series($1::bigint, $2::bigint) AS n
      CROSS JOIN LATERAL (SELECT now() - make_interval(secs => (n % 365) * 86400) AS at) AS time
      CROSS JOIN LATERAL (SELECT lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS ms) AS hex
  ) AS made`;

const transfers = `
  INSERT INTO transfers (entry_kind, entry_id, line, account_id, from_book, to_book, amount_nano_usd)
  SELECT 'usage', usage_id, 1, account_id, 'credits', 'revenue', cost_nano_usd FROM usage_facts
  WHERE replica = 'earlier' AND sequence BETWEEN $1 AND $2`;

const log = `
  INSERT INTO fact_log (entry_kind, usage_ids, facts)
  SELECT 'recorded', array_agg(usage_id), count(*) FROM usage_facts
  WHERE replica = 'earlier' AND sequence BETWEEN $1 AND $2 GROUP BY sequence / 1000`;

const activity = `
  INSERT INTO activity (account_id, day, digest, workspace_id, key_hash, user_id, model, endpoint_id, provider,
    requests, input_tokens, output_tokens, reasoning_tokens, credits_nano_usd, byok_nano_usd)
  SELECT '${accountId}', (now() AT TIME ZONE 'UTC')::date - day, md5(day || '/' || key || '/' || model), 'ws_1',
    'key' || key, '', 'vendor/model-' || model, '', 'simulator', 1, 100, 200, 0, 1000, 0
  FROM generate_series(0, 364) AS day, generate_series(0, 199, 4) AS key, generate_series(0, 49) AS model`;

/** Fills the ledger with facts of a year, as if it had counted them: 200 keys, 50 models, ids ordered by time. */
export async function fill(tables: Queryable, rows: number): Promise<void> {
  for (let from = 1; from <= rows; from += rowsOfStep) {
    const values = [from, Math.min(rows, from + rowsOfStep - 1)];
    for (const text of [facts, transfers, log]) await tables.query({ text, values });
    showProgress(`${values[1]} of ${rows} facts are there`);
  }
  await tables.query({ text: activity, values: [] });
  for (const table of ['usage_facts', 'transfers', 'fact_log', 'activity'])
    await tables.query({ text: `ANALYZE ${table}`, values: [] });
}
