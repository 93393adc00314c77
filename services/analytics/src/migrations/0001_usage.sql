-- One row per fact of the last days, with the values of its newest revision. A partition is a day.
CREATE TABLE facts (
  account_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  fact_id text COLLATE "C" NOT NULL,
  revision smallint NOT NULL,
  at timestamptz NOT NULL,
  generation_id text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  variant text COLLATE "C" NOT NULL,
  key_hash text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  app text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  finish_reason text COLLATE "C" NOT NULL,
  external_user text COLLATE "C" NOT NULL,
  context_bucket text COLLATE "C" NOT NULL,
  facts bigint NOT NULL,
  requests bigint NOT NULL,
  failed_requests bigint NOT NULL,
  refused_requests bigint NOT NULL,
  blocked_requests bigint NOT NULL,
  guardrail_requests bigint NOT NULL,
  byok_requests bigint NOT NULL,
  repeated_responses bigint NOT NULL,
  tool_calls bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  service_nano_usd bigint NOT NULL,
  fee_nano_usd bigint NOT NULL,
  byok_nano_usd bigint NOT NULL,
  upstream_nano_usd bigint NOT NULL,
  web_nano_usd bigint,
  web_upstream_nano_usd bigint,
  file_nano_usd bigint,
  file_upstream_nano_usd bigint,
  web_fetch_nano_usd bigint,
  web_fetch_upstream_nano_usd bigint,
  latency_ms bigint NOT NULL,
  latency_count bigint NOT NULL,
  throughput_milli bigint NOT NULL,
  throughput_count bigint NOT NULL,
  -- The bins of the sketches. NULL: the fact has no such value.
  latency_bin smallint,
  throughput_bin smallint,
  PRIMARY KEY (day, fact_id)
) PARTITION BY RANGE (day);
CREATE INDEX ON facts (account_id, at);

-- Sums per hour and all dimensions. A partition is a month.
CREATE TABLE usage_hour (
  account_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  row_id uuid NOT NULL,
  model text COLLATE "C" NOT NULL,
  variant text COLLATE "C" NOT NULL,
  key_hash text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  app text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  finish_reason text COLLATE "C" NOT NULL,
  external_user text COLLATE "C" NOT NULL,
  context_bucket text COLLATE "C" NOT NULL,
  facts bigint NOT NULL,
  requests bigint NOT NULL,
  failed_requests bigint NOT NULL,
  refused_requests bigint NOT NULL,
  blocked_requests bigint NOT NULL,
  guardrail_requests bigint NOT NULL,
  byok_requests bigint NOT NULL,
  repeated_responses bigint NOT NULL,
  tool_calls bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  service_nano_usd bigint NOT NULL,
  fee_nano_usd bigint NOT NULL,
  byok_nano_usd bigint NOT NULL,
  upstream_nano_usd bigint NOT NULL,
  web_nano_usd bigint,
  web_upstream_nano_usd bigint,
  file_nano_usd bigint,
  file_upstream_nano_usd bigint,
  web_fetch_nano_usd bigint,
  web_fetch_upstream_nano_usd bigint,
  latency_ms bigint NOT NULL,
  latency_count bigint NOT NULL,
  throughput_milli bigint NOT NULL,
  throughput_count bigint NOT NULL,
  PRIMARY KEY (account_id, at, row_id)
) PARTITION BY RANGE (at);

-- The sketches of the rows of usage_hour: how many values fell into each bin.
CREATE TABLE usage_hour_bins (
  account_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  row_id uuid NOT NULL,
  sketch text COLLATE "C" NOT NULL,
  bin smallint NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (account_id, at, row_id, sketch, bin)
) PARTITION BY RANGE (at);

-- Sums per day and the dimensions that may be asked for over a year. A partition is a month.
CREATE TABLE usage_day (
  account_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  row_id uuid NOT NULL,
  model text COLLATE "C" NOT NULL,
  variant text COLLATE "C" NOT NULL,
  key_hash text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  app text COLLATE "C" NOT NULL,
  facts bigint NOT NULL,
  requests bigint NOT NULL,
  failed_requests bigint NOT NULL,
  refused_requests bigint NOT NULL,
  blocked_requests bigint NOT NULL,
  guardrail_requests bigint NOT NULL,
  byok_requests bigint NOT NULL,
  repeated_responses bigint NOT NULL,
  tool_calls bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  service_nano_usd bigint NOT NULL,
  fee_nano_usd bigint NOT NULL,
  byok_nano_usd bigint NOT NULL,
  upstream_nano_usd bigint NOT NULL,
  web_nano_usd bigint,
  web_upstream_nano_usd bigint,
  file_nano_usd bigint,
  file_upstream_nano_usd bigint,
  web_fetch_nano_usd bigint,
  web_fetch_upstream_nano_usd bigint,
  latency_ms bigint NOT NULL,
  latency_count bigint NOT NULL,
  throughput_milli bigint NOT NULL,
  throughput_count bigint NOT NULL,
  PRIMARY KEY (account_id, at, row_id)
) PARTITION BY RANGE (at);

-- Sums per day and model: far fewer rows than usage_day. A partition is a month.
CREATE TABLE usage_day_model (
  account_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  row_id uuid NOT NULL,
  model text COLLATE "C" NOT NULL,
  variant text COLLATE "C" NOT NULL,
  facts bigint NOT NULL,
  requests bigint NOT NULL,
  failed_requests bigint NOT NULL,
  refused_requests bigint NOT NULL,
  blocked_requests bigint NOT NULL,
  guardrail_requests bigint NOT NULL,
  byok_requests bigint NOT NULL,
  repeated_responses bigint NOT NULL,
  tool_calls bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  service_nano_usd bigint NOT NULL,
  fee_nano_usd bigint NOT NULL,
  byok_nano_usd bigint NOT NULL,
  upstream_nano_usd bigint NOT NULL,
  web_nano_usd bigint,
  web_upstream_nano_usd bigint,
  file_nano_usd bigint,
  file_upstream_nano_usd bigint,
  web_fetch_nano_usd bigint,
  web_fetch_upstream_nano_usd bigint,
  latency_ms bigint NOT NULL,
  latency_count bigint NOT NULL,
  throughput_milli bigint NOT NULL,
  throughput_count bigint NOT NULL,
  PRIMARY KEY (account_id, at, row_id)
) PARTITION BY RANGE (at);

-- What keys, workspaces and members are called now. Empty: deleted.
CREATE TABLE names (
  account_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  entity_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  named_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, kind, entity_id)
);

-- The one row is locked by each batch. Facts of earlier days than facts_from have no rows of their own any more.
CREATE TABLE progress (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Behind the last entry of the ledger that was read. Empty: none.
  ledger_cursor text NOT NULL,
  -- When the end of the ledger was last reached.
  ledger_read_at timestamptz,
  facts_from date NOT NULL,
  hours_from timestamptz NOT NULL,
  days_from timestamptz NOT NULL
);

-- Makes a partition of a table, unless it is there. Rows of a partition are reached through the table only.
CREATE FUNCTION ensure_partition(parent text, first timestamptz, past timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  name text := parent || '_p' || to_char(first AT TIME ZONE 'UTC', 'YYYYMMDD');
BEGIN
  IF to_regclass(quote_ident(name)) IS NULL THEN
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', name, parent, first, past);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
  END IF;
END $$;
