-- When a row was counted, and the rows that a newer revision has replaced: an answer as of an instant needs both. Rows of
-- before are taken as counted when their request was admitted.
ALTER TABLE facts{local} {on cluster} ADD COLUMN IF NOT EXISTS counted_at DateTime64(3, 'UTC') DEFAULT at;
ALTER TABLE facts {on cluster} ADD COLUMN IF NOT EXISTS counted_at DateTime64(3, 'UTC') DEFAULT at;
ALTER TABLE fact_names{local} {on cluster} ADD COLUMN IF NOT EXISTS counted_at DateTime64(3, 'UTC');
ALTER TABLE fact_names {on cluster} ADD COLUMN IF NOT EXISTS counted_at DateTime64(3, 'UTC');

-- The columns of facts. Merges of facts keep their newest revision only.
CREATE TABLE IF NOT EXISTS superseded{local} {on cluster} (
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
  latency_bins Array(Int16),
  latency_counts Array(Int64),
  throughput_bins Array(Int16),
  throughput_counts Array(Int64),
  counted_at DateTime64(3, 'UTC')
) ENGINE = {replicated}ReplacingMergeTree
PARTITION BY toYYYYMMDD(hour)
ORDER BY (account_id, hour, fact_id, revision);
{cluster superseded by cityHash64(account_id)};
