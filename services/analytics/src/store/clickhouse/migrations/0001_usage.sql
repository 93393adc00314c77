-- Facts, sums and names. `{local}`, `{on cluster}`, `{replicated}` and `{cluster …}` are replaced: see migrate.ts.

-- Tells one database from another. PostgreSQL has the cursor of the ledger for one of them.
CREATE TABLE IF NOT EXISTS identity{local} {on cluster} (
  id String,
  made_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC')
) ENGINE = {replicated}MergeTree ORDER BY (made_at, id);
{cluster identity by 1};

-- Facts, of which the highest revision counts. All revisions of one have the same hour.
CREATE TABLE IF NOT EXISTS facts{local} {on cluster} (
  account_id String,
  hour DateTime('UTC'),
  fact_id String,
  revision UInt8,
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  model LowCardinality(String),
  variant LowCardinality(String),
  key_hash LowCardinality(String),
  user_id LowCardinality(String),
  workspace_id LowCardinality(String),
  app String,
  generation_id String,
  provider LowCardinality(String),
  origin String,
  country LowCardinality(String),
  finish_reason LowCardinality(String),
  external_user String,
  context_bucket LowCardinality(String),
  facts Int64,
  requests Int64,
  failed_requests Int64,
  refused_requests Int64,
  blocked_requests Int64,
  guardrail_requests Int64,
  byok_requests Int64,
  repeated_responses Int64,
  tool_calls Int64,
  input_tokens Int64,
  output_tokens Int64,
  cached_tokens Int64,
  reasoning_tokens Int64,
  service_nano_usd Int64,
  fee_nano_usd Int64,
  byok_nano_usd Int64,
  upstream_nano_usd Int64,
  web_nano_usd Nullable(Int64),
  web_upstream_nano_usd Nullable(Int64),
  file_nano_usd Nullable(Int64),
  file_upstream_nano_usd Nullable(Int64),
  web_fetch_nano_usd Nullable(Int64),
  web_fetch_upstream_nano_usd Nullable(Int64),
  latency_ms Int64,
  latency_count Int64,
  throughput_milli Int64,
  throughput_count Int64,
  -- The bin of the value, or none, and its count: lists, as in the tables of sums.
  latency_bins Array(Int16),
  latency_counts Array(Int64),
  throughput_bins Array(Int16),
  throughput_counts Array(Int64)
) ENGINE = {replicated}ReplacingMergeTree(revision)
PARTITION BY toYYYYMMDD(hour)
ORDER BY (account_id, hour, fact_id);
{cluster facts by cityHash64(account_id)};

-- The revisions of facts by their ids, because the ledger knows no accounts of the facts that it asks for.
CREATE TABLE IF NOT EXISTS fact_names{local} {on cluster} (
  day Date,
  fact_id String,
  revision UInt8
) ENGINE = {replicated}ReplacingMergeTree(revision)
PARTITION BY toYYYYMMDD(day)
ORDER BY (day, fact_id);
{cluster fact_names by cityHash64(fact_id)};

-- Corrections of facts that are gone, and facts that came after their day was dropped. `sign` is -1 for amounts that
-- are taken out, which are negative.
CREATE TABLE IF NOT EXISTS late_changes{local} {on cluster} (
  account_id String,
  hour DateTime('UTC'),
  fact_id String,
  revision UInt8,
  sign Int8,
  at DateTime64(3, 'UTC'),
  model LowCardinality(String),
  variant LowCardinality(String),
  key_hash LowCardinality(String),
  user_id LowCardinality(String),
  workspace_id LowCardinality(String),
  app String,
  generation_id String,
  provider LowCardinality(String),
  origin String,
  country LowCardinality(String),
  finish_reason LowCardinality(String),
  external_user String,
  context_bucket LowCardinality(String),
  facts Int64,
  requests Int64,
  failed_requests Int64,
  refused_requests Int64,
  blocked_requests Int64,
  guardrail_requests Int64,
  byok_requests Int64,
  repeated_responses Int64,
  tool_calls Int64,
  input_tokens Int64,
  output_tokens Int64,
  cached_tokens Int64,
  reasoning_tokens Int64,
  service_nano_usd Int64,
  fee_nano_usd Int64,
  byok_nano_usd Int64,
  upstream_nano_usd Int64,
  web_nano_usd Nullable(Int64),
  web_upstream_nano_usd Nullable(Int64),
  file_nano_usd Nullable(Int64),
  file_upstream_nano_usd Nullable(Int64),
  web_fetch_nano_usd Nullable(Int64),
  web_fetch_upstream_nano_usd Nullable(Int64),
  latency_ms Int64,
  latency_count Int64,
  throughput_milli Int64,
  throughput_count Int64,
  latency_bins Array(Int16),
  latency_counts Array(Int64),
  throughput_bins Array(Int16),
  throughput_counts Array(Int64)
) ENGINE = {replicated}ReplacingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (account_id, hour, fact_id, revision, sign);
{cluster late_changes by cityHash64(account_id)};

-- Sums per hour, of which the highest version counts. A row whose facts moved elsewhere is zero.
CREATE TABLE IF NOT EXISTS usage_hour{local} {on cluster} (
  account_id String,
  at DateTime('UTC'),
  version UInt64,
  model LowCardinality(String),
  variant LowCardinality(String),
  key_hash LowCardinality(String),
  user_id LowCardinality(String),
  workspace_id LowCardinality(String),
  app String,
  provider LowCardinality(String),
  origin String,
  country LowCardinality(String),
  finish_reason LowCardinality(String),
  external_user String,
  context_bucket LowCardinality(String),
  facts Int64,
  requests Int64,
  failed_requests Int64,
  refused_requests Int64,
  blocked_requests Int64,
  guardrail_requests Int64,
  byok_requests Int64,
  repeated_responses Int64,
  tool_calls Int64,
  input_tokens Int64,
  output_tokens Int64,
  cached_tokens Int64,
  reasoning_tokens Int64,
  service_nano_usd Int64,
  fee_nano_usd Int64,
  byok_nano_usd Int64,
  upstream_nano_usd Int64,
  web_nano_usd Nullable(Int64),
  web_upstream_nano_usd Nullable(Int64),
  file_nano_usd Nullable(Int64),
  file_upstream_nano_usd Nullable(Int64),
  web_fetch_nano_usd Nullable(Int64),
  web_fetch_upstream_nano_usd Nullable(Int64),
  latency_ms Int64,
  latency_count Int64,
  throughput_milli Int64,
  throughput_count Int64,
  latency_bins Array(Int16),
  latency_counts Array(Int64),
  throughput_bins Array(Int16),
  throughput_counts Array(Int64)
) ENGINE = {replicated}ReplacingMergeTree(version)
PARTITION BY toYYYYMM(at)
PRIMARY KEY (account_id, at)
ORDER BY (account_id, at, model, variant, key_hash, user_id, workspace_id, app, provider, origin, country,
  finish_reason, external_user, context_bucket);
{cluster usage_hour by cityHash64(account_id)};

CREATE TABLE IF NOT EXISTS usage_day{local} {on cluster} (
  account_id String,
  at DateTime('UTC'),
  version UInt64,
  model LowCardinality(String),
  variant LowCardinality(String),
  key_hash LowCardinality(String),
  user_id LowCardinality(String),
  workspace_id LowCardinality(String),
  app String,
  facts Int64,
  requests Int64,
  failed_requests Int64,
  refused_requests Int64,
  blocked_requests Int64,
  guardrail_requests Int64,
  byok_requests Int64,
  repeated_responses Int64,
  tool_calls Int64,
  input_tokens Int64,
  output_tokens Int64,
  cached_tokens Int64,
  reasoning_tokens Int64,
  service_nano_usd Int64,
  fee_nano_usd Int64,
  byok_nano_usd Int64,
  upstream_nano_usd Int64,
  web_nano_usd Nullable(Int64),
  web_upstream_nano_usd Nullable(Int64),
  file_nano_usd Nullable(Int64),
  file_upstream_nano_usd Nullable(Int64),
  web_fetch_nano_usd Nullable(Int64),
  web_fetch_upstream_nano_usd Nullable(Int64),
  latency_ms Int64,
  latency_count Int64,
  throughput_milli Int64,
  throughput_count Int64
) ENGINE = {replicated}ReplacingMergeTree(version)
PARTITION BY toYYYYMM(at)
PRIMARY KEY (account_id, at)
ORDER BY (account_id, at, model, variant, key_hash, user_id, workspace_id, app);
{cluster usage_day by cityHash64(account_id)};

CREATE TABLE IF NOT EXISTS usage_day_model{local} {on cluster} (
  account_id String,
  at DateTime('UTC'),
  version UInt64,
  model LowCardinality(String),
  variant LowCardinality(String),
  facts Int64,
  requests Int64,
  failed_requests Int64,
  refused_requests Int64,
  blocked_requests Int64,
  guardrail_requests Int64,
  byok_requests Int64,
  repeated_responses Int64,
  tool_calls Int64,
  input_tokens Int64,
  output_tokens Int64,
  cached_tokens Int64,
  reasoning_tokens Int64,
  service_nano_usd Int64,
  fee_nano_usd Int64,
  byok_nano_usd Int64,
  upstream_nano_usd Int64,
  web_nano_usd Nullable(Int64),
  web_upstream_nano_usd Nullable(Int64),
  file_nano_usd Nullable(Int64),
  file_upstream_nano_usd Nullable(Int64),
  web_fetch_nano_usd Nullable(Int64),
  web_fetch_upstream_nano_usd Nullable(Int64),
  latency_ms Int64,
  latency_count Int64,
  throughput_milli Int64,
  throughput_count Int64
) ENGINE = {replicated}ReplacingMergeTree(version)
PARTITION BY toYYYYMM(at)
PRIMARY KEY (account_id, at)
ORDER BY (account_id, at, model, variant);
{cluster usage_day_model by cityHash64(account_id)};

-- The names of keys, workspaces and members, of which the newest counts.
CREATE TABLE IF NOT EXISTS names{local} {on cluster} (
  account_id String,
  kind LowCardinality(String),
  entity_id String,
  name String,
  email String,
  named_at DateTime64(6, 'UTC')
) ENGINE = {replicated}ReplacingMergeTree(named_at)
ORDER BY (account_id, kind, entity_id);
{cluster names by cityHash64(account_id)};
