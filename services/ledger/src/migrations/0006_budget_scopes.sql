-- The guardrails that held for a fact, each with whose spend it counts: <guardrail>:<key|member|workspace>:<id>.
ALTER TABLE usage_facts ADD COLUMN guardrail_scopes text[] NOT NULL DEFAULT '{}';

-- A workspace's budgets count all its recorded spend, also from before it had one.
INSERT INTO counters
  SELECT account_id, 'workspace', workspace_id, window_kind, window_start,
    coalesce(sum(cost_nano_usd) FILTER (WHERE NOT is_byok), 0),
    coalesce(sum(cost_nano_usd) FILTER (WHERE is_byok), 0)
  FROM usage_facts CROSS JOIN LATERAL (VALUES
    ('lifetime', to_timestamp(0)),
    ('daily', date_trunc('day', admitted_at, 'UTC')),
    ('weekly', date_trunc('week', admitted_at, 'UTC')),
    ('monthly', date_trunc('month', admitted_at, 'UTC'))
  ) AS counter (window_kind, window_start)
  GROUP BY account_id, workspace_id, window_kind, window_start;
