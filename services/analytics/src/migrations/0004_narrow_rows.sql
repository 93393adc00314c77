-- Narrow rows. Facts and sums have a number for each combination of dimensions that vary together, and dictionaries
-- have the texts. Wide columns come first, since PostgreSQL aligns them. A row of sums with one value has the bin of
-- its sketch, and no list.
SET LOCAL statement_timeout = 0;

-- Numbers of accounts. The policy of each table with such a number shows an account its own rows.
CREATE TABLE accounts (
  account_id text COLLATE "C" PRIMARY KEY,
  id integer GENERATED ALWAYS AS IDENTITY UNIQUE
);

-- Another generation: the tables are others, and all that a process remembers of them is wrong.
ALTER TABLE progress ADD COLUMN generation uuid NOT NULL DEFAULT gen_random_uuid();

CREATE FUNCTION dictionary_digest(VARIADIC texts text[]) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT md5(texts::text)::uuid $$;

-- used_in: the first day of the newest month in which a row has the number.
CREATE TABLE model_dictionary (
  account_id text COLLATE "C" NOT NULL,
  digest uuid NOT NULL,
  id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  used_in date NOT NULL,
  model text COLLATE "C" NOT NULL,
  variant text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, digest)
);
CREATE TABLE place_dictionary (
  account_id text COLLATE "C" NOT NULL,
  digest uuid NOT NULL,
  id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  used_in date NOT NULL,
  key_hash text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  app text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, digest)
);
CREATE TABLE call_dictionary (
  account_id text COLLATE "C" NOT NULL,
  digest uuid NOT NULL,
  id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  used_in date NOT NULL,
  provider text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  finish_reason text COLLATE "C" NOT NULL,
  context_bucket text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, digest)
);
CREATE TABLE end_user_dictionary (
  account_id text COLLATE "C" NOT NULL,
  digest uuid NOT NULL,
  id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  used_in date NOT NULL,
  external_user text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, digest)
);

-- The names of old tables and of their partitions are taken.
DO $$
DECLARE
  old record;
BEGIN
  FOR old IN
    SELECT relname FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND relname ~ '^(facts|usage_hour|usage_day|usage_day_model)(_p[0-9]{8})?$'
  LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', old.relname, 'old_' || old.relname);
  END LOOP;
END $$;

CREATE TABLE facts (
  at timestamptz NOT NULL,
  failed_requests bigint,
  refused_requests bigint,
  input_tokens bigint,
  output_tokens bigint,
  cached_tokens bigint,
  reasoning_tokens bigint,
  service_nano_usd bigint,
  fee_nano_usd bigint,
  byok_nano_usd bigint,
  upstream_nano_usd bigint,
  web_nano_usd bigint,
  web_upstream_nano_usd bigint,
  file_nano_usd bigint,
  file_upstream_nano_usd bigint,
  web_fetch_nano_usd bigint,
  web_fetch_upstream_nano_usd bigint,
  latency_ms bigint,
  throughput_milli bigint,
  account integer NOT NULL,
  day date NOT NULL,
  model_ref integer NOT NULL,
  place_ref integer NOT NULL,
  call_ref integer NOT NULL,
  end_user_ref integer NOT NULL,
  facts integer,
  requests integer,
  blocked_requests integer,
  guardrail_requests integer,
  byok_requests integer,
  repeated_responses integer,
  tool_calls integer,
  latency_count integer,
  throughput_count integer,
  revision smallint NOT NULL,
  latency_bin smallint,
  throughput_bin smallint,
  fact_id text COLLATE "C" NOT NULL,
  -- NULL: the id of the fact begins with it.
  generation_id text COLLATE "C",
  PRIMARY KEY (day, fact_id)
) PARTITION BY RANGE (day);
CREATE INDEX ON facts (account, at);

CREATE TABLE usage_hour (
  at timestamptz NOT NULL,
  failed_requests bigint,
  refused_requests bigint,
  input_tokens bigint,
  output_tokens bigint,
  cached_tokens bigint,
  reasoning_tokens bigint,
  service_nano_usd bigint,
  fee_nano_usd bigint,
  byok_nano_usd bigint,
  upstream_nano_usd bigint,
  web_nano_usd bigint,
  web_upstream_nano_usd bigint,
  file_nano_usd bigint,
  file_upstream_nano_usd bigint,
  web_fetch_nano_usd bigint,
  web_fetch_upstream_nano_usd bigint,
  latency_ms bigint,
  throughput_milli bigint,
  account integer NOT NULL,
  model_ref integer NOT NULL,
  place_ref integer NOT NULL,
  call_ref integer NOT NULL,
  end_user_ref integer NOT NULL,
  facts integer,
  requests integer,
  blocked_requests integer,
  guardrail_requests integer,
  byok_requests integer,
  repeated_responses integer,
  tool_calls integer,
  latency_count integer,
  throughput_count integer,
  latency_bin smallint,
  throughput_bin smallint,
  latency_sketch bigint[],
  throughput_sketch bigint[],
  PRIMARY KEY (account, at, place_ref, model_ref, call_ref, end_user_ref)
) PARTITION BY RANGE (at);

CREATE TABLE usage_day (
  at timestamptz NOT NULL,
  failed_requests bigint,
  refused_requests bigint,
  input_tokens bigint,
  output_tokens bigint,
  cached_tokens bigint,
  reasoning_tokens bigint,
  service_nano_usd bigint,
  fee_nano_usd bigint,
  byok_nano_usd bigint,
  upstream_nano_usd bigint,
  web_nano_usd bigint,
  web_upstream_nano_usd bigint,
  file_nano_usd bigint,
  file_upstream_nano_usd bigint,
  web_fetch_nano_usd bigint,
  web_fetch_upstream_nano_usd bigint,
  latency_ms bigint,
  throughput_milli bigint,
  account integer NOT NULL,
  model_ref integer NOT NULL,
  place_ref integer NOT NULL,
  facts integer,
  requests integer,
  blocked_requests integer,
  guardrail_requests integer,
  byok_requests integer,
  repeated_responses integer,
  tool_calls integer,
  latency_count integer,
  throughput_count integer,
  PRIMARY KEY (account, at, place_ref, model_ref)
) PARTITION BY RANGE (at);

CREATE TABLE usage_day_model (
  at timestamptz NOT NULL,
  failed_requests bigint,
  refused_requests bigint,
  input_tokens bigint,
  output_tokens bigint,
  cached_tokens bigint,
  reasoning_tokens bigint,
  service_nano_usd bigint,
  fee_nano_usd bigint,
  byok_nano_usd bigint,
  upstream_nano_usd bigint,
  web_nano_usd bigint,
  web_upstream_nano_usd bigint,
  file_nano_usd bigint,
  file_upstream_nano_usd bigint,
  web_fetch_nano_usd bigint,
  web_fetch_upstream_nano_usd bigint,
  latency_ms bigint,
  throughput_milli bigint,
  account integer NOT NULL,
  model_ref integer NOT NULL,
  facts integer,
  requests integer,
  blocked_requests integer,
  guardrail_requests integer,
  byok_requests integer,
  repeated_responses integer,
  tool_calls integer,
  latency_count integer,
  throughput_count integer,
  PRIMARY KEY (account, at, model_ref)
) PARTITION BY RANGE (at);

-- The list of a sketch, also where a row has one bin. An item is bin * 2^32 + count.
CREATE FUNCTION sketch_items(items bigint[], bin smallint) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(items, CASE WHEN bin IS NULL THEN '{}' ELSE ARRAY[bin::bigint * 4294967296 + 1] END)
$$;

-- The old rows move.
INSERT INTO accounts (account_id)
SELECT account_id FROM old_facts UNION SELECT account_id FROM old_usage_hour
UNION SELECT account_id FROM old_usage_day UNION SELECT account_id FROM old_usage_day_model;

INSERT INTO model_dictionary (account_id, digest, model, variant, used_in)
SELECT account_id, dictionary_digest(model, variant), model, variant,
  date_trunc('month', max(at) AT TIME ZONE 'UTC')::date
FROM (
  SELECT account_id, model, variant, at FROM old_facts
  UNION ALL
  SELECT account_id, model, variant, at FROM old_usage_hour
  UNION ALL
  SELECT account_id, model, variant, at FROM old_usage_day
  UNION ALL
  SELECT account_id, model, variant, at FROM old_usage_day_model
) AS used GROUP BY account_id, model, variant;
INSERT INTO place_dictionary (account_id, digest, key_hash, user_id, workspace_id, app, used_in)
SELECT account_id, dictionary_digest(key_hash, user_id, workspace_id, app), key_hash, user_id, workspace_id, app,
  date_trunc('month', max(at) AT TIME ZONE 'UTC')::date
FROM (
  SELECT account_id, key_hash, user_id, workspace_id, app, at FROM old_facts
  UNION ALL
  SELECT account_id, key_hash, user_id, workspace_id, app, at FROM old_usage_hour
  UNION ALL
  SELECT account_id, key_hash, user_id, workspace_id, app, at FROM old_usage_day
) AS used GROUP BY account_id, key_hash, user_id, workspace_id, app;
INSERT INTO call_dictionary (account_id, digest, provider, origin, country, finish_reason, context_bucket, used_in)
SELECT account_id, dictionary_digest(provider, origin, country, finish_reason, context_bucket),
  provider, origin, country, finish_reason, context_bucket,
  date_trunc('month', max(at) AT TIME ZONE 'UTC')::date
FROM (
  SELECT account_id, provider, origin, country, finish_reason, context_bucket, at FROM old_facts
  UNION ALL
  SELECT account_id, provider, origin, country, finish_reason, context_bucket, at FROM old_usage_hour
) AS used GROUP BY account_id, provider, origin, country, finish_reason, context_bucket;
INSERT INTO end_user_dictionary (account_id, digest, external_user, used_in)
SELECT account_id, dictionary_digest(external_user), external_user,
  date_trunc('month', max(at) AT TIME ZONE 'UTC')::date
FROM (
  SELECT account_id, external_user, at FROM old_facts
  UNION ALL
  SELECT account_id, external_user, at FROM old_usage_hour
) AS used GROUP BY account_id, external_user;

DO $$
DECLARE
  part record;
BEGIN
  FOR part IN
    SELECT substr(parent.relname, 5) AS name,
      regexp_match(pg_get_expr(one.relpartbound, one.oid), 'FROM \(''([^'']+)''\) TO \(''([^'']+)''\)') AS bounds
    FROM pg_class AS parent JOIN pg_inherits ON inhparent = parent.oid JOIN pg_class AS one ON one.oid = inhrelid
    WHERE parent.relnamespace = current_schema()::regnamespace AND parent.relkind = 'p'
      AND parent.relname LIKE 'old\_%'
  LOOP
    PERFORM ensure_partition(part.name, (part.bounds)[1]::timestamptz, (part.bounds)[2]::timestamptz);
  END LOOP;
END $$;

INSERT INTO facts (account, at, model_ref, place_ref, call_ref, end_user_ref, day, fact_id, revision, latency_bin,
  throughput_bin, generation_id, facts, requests, failed_requests, refused_requests, blocked_requests,
  guardrail_requests, byok_requests, repeated_responses, tool_calls, input_tokens, output_tokens, cached_tokens,
  reasoning_tokens, service_nano_usd, fee_nano_usd, byok_nano_usd, upstream_nano_usd, web_nano_usd,
  web_upstream_nano_usd, file_nano_usd, file_upstream_nano_usd, web_fetch_nano_usd, web_fetch_upstream_nano_usd,
  latency_ms, latency_count, throughput_milli, throughput_count)
SELECT accounts.id, old.at, model_dictionary.id, place_dictionary.id, call_dictionary.id, end_user_dictionary.id,
  old.day, old.fact_id, old.revision, old.latency_bin, old.throughput_bin, nullif(old.generation_id,
  split_part(old.fact_id, '/', 1)), old.facts, old.requests, old.failed_requests, old.refused_requests,
  old.blocked_requests, old.guardrail_requests, old.byok_requests, old.repeated_responses, old.tool_calls,
  old.input_tokens, old.output_tokens, old.cached_tokens, old.reasoning_tokens, old.service_nano_usd,
  old.fee_nano_usd, old.byok_nano_usd, old.upstream_nano_usd, old.web_nano_usd, old.web_upstream_nano_usd,
  old.file_nano_usd, old.file_upstream_nano_usd, old.web_fetch_nano_usd, old.web_fetch_upstream_nano_usd,
  old.latency_ms, old.latency_count, old.throughput_milli, old.throughput_count
FROM old_facts AS old JOIN accounts ON accounts.account_id = old.account_id
  JOIN model_dictionary ON model_dictionary.account_id = old.account_id
    AND model_dictionary.digest = dictionary_digest(old.model, old.variant)
  JOIN place_dictionary ON place_dictionary.account_id = old.account_id
    AND place_dictionary.digest = dictionary_digest(old.key_hash, old.user_id, old.workspace_id, old.app)
  JOIN call_dictionary ON call_dictionary.account_id = old.account_id
    AND call_dictionary.digest = dictionary_digest(
      old.provider, old.origin, old.country, old.finish_reason, old.context_bucket)
  JOIN end_user_dictionary ON end_user_dictionary.account_id = old.account_id
    AND end_user_dictionary.digest = dictionary_digest(old.external_user);

INSERT INTO usage_hour (account, at, model_ref, place_ref, call_ref, end_user_ref, latency_sketch, throughput_sketch,
  facts, requests, failed_requests, refused_requests, blocked_requests, guardrail_requests, byok_requests,
  repeated_responses, tool_calls, input_tokens, output_tokens, cached_tokens, reasoning_tokens, service_nano_usd,
  fee_nano_usd, byok_nano_usd, upstream_nano_usd, web_nano_usd, web_upstream_nano_usd, file_nano_usd,
  file_upstream_nano_usd, web_fetch_nano_usd, web_fetch_upstream_nano_usd, latency_ms, latency_count,
  throughput_milli, throughput_count)
SELECT accounts.id, old.at, model_dictionary.id, place_dictionary.id, call_dictionary.id, end_user_dictionary.id,
  old.latency_sketch, old.throughput_sketch, old.facts, old.requests, old.failed_requests, old.refused_requests,
  old.blocked_requests, old.guardrail_requests, old.byok_requests, old.repeated_responses, old.tool_calls,
  old.input_tokens, old.output_tokens, old.cached_tokens, old.reasoning_tokens, old.service_nano_usd,
  old.fee_nano_usd, old.byok_nano_usd, old.upstream_nano_usd, old.web_nano_usd, old.web_upstream_nano_usd,
  old.file_nano_usd, old.file_upstream_nano_usd, old.web_fetch_nano_usd, old.web_fetch_upstream_nano_usd,
  old.latency_ms, old.latency_count, old.throughput_milli, old.throughput_count
FROM old_usage_hour AS old JOIN accounts ON accounts.account_id = old.account_id
  JOIN model_dictionary ON model_dictionary.account_id = old.account_id
    AND model_dictionary.digest = dictionary_digest(old.model, old.variant)
  JOIN place_dictionary ON place_dictionary.account_id = old.account_id
    AND place_dictionary.digest = dictionary_digest(old.key_hash, old.user_id, old.workspace_id, old.app)
  JOIN call_dictionary ON call_dictionary.account_id = old.account_id
    AND call_dictionary.digest = dictionary_digest(
      old.provider, old.origin, old.country, old.finish_reason, old.context_bucket)
  JOIN end_user_dictionary ON end_user_dictionary.account_id = old.account_id
    AND end_user_dictionary.digest = dictionary_digest(old.external_user);

INSERT INTO usage_day (account, at, model_ref, place_ref, facts, requests, failed_requests, refused_requests,
  blocked_requests, guardrail_requests, byok_requests, repeated_responses, tool_calls, input_tokens, output_tokens,
  cached_tokens, reasoning_tokens, service_nano_usd, fee_nano_usd, byok_nano_usd, upstream_nano_usd, web_nano_usd,
  web_upstream_nano_usd, file_nano_usd, file_upstream_nano_usd, web_fetch_nano_usd, web_fetch_upstream_nano_usd,
  latency_ms, latency_count, throughput_milli, throughput_count)
SELECT accounts.id, old.at, model_dictionary.id, place_dictionary.id, old.facts, old.requests, old.failed_requests,
  old.refused_requests, old.blocked_requests, old.guardrail_requests, old.byok_requests, old.repeated_responses,
  old.tool_calls, old.input_tokens, old.output_tokens, old.cached_tokens, old.reasoning_tokens, old.service_nano_usd,
  old.fee_nano_usd, old.byok_nano_usd, old.upstream_nano_usd, old.web_nano_usd, old.web_upstream_nano_usd,
  old.file_nano_usd, old.file_upstream_nano_usd, old.web_fetch_nano_usd, old.web_fetch_upstream_nano_usd,
  old.latency_ms, old.latency_count, old.throughput_milli, old.throughput_count
FROM old_usage_day AS old JOIN accounts ON accounts.account_id = old.account_id
  JOIN model_dictionary ON model_dictionary.account_id = old.account_id
    AND model_dictionary.digest = dictionary_digest(old.model, old.variant)
  JOIN place_dictionary ON place_dictionary.account_id = old.account_id
    AND place_dictionary.digest = dictionary_digest(old.key_hash, old.user_id, old.workspace_id, old.app);

INSERT INTO usage_day_model (account, at, model_ref, facts, requests, failed_requests, refused_requests,
  blocked_requests, guardrail_requests, byok_requests, repeated_responses, tool_calls, input_tokens, output_tokens,
  cached_tokens, reasoning_tokens, service_nano_usd, fee_nano_usd, byok_nano_usd, upstream_nano_usd, web_nano_usd,
  web_upstream_nano_usd, file_nano_usd, file_upstream_nano_usd, web_fetch_nano_usd, web_fetch_upstream_nano_usd,
  latency_ms, latency_count, throughput_milli, throughput_count)
SELECT accounts.id, old.at, model_dictionary.id, old.facts, old.requests, old.failed_requests, old.refused_requests,
  old.blocked_requests, old.guardrail_requests, old.byok_requests, old.repeated_responses, old.tool_calls,
  old.input_tokens, old.output_tokens, old.cached_tokens, old.reasoning_tokens, old.service_nano_usd,
  old.fee_nano_usd, old.byok_nano_usd, old.upstream_nano_usd, old.web_nano_usd, old.web_upstream_nano_usd,
  old.file_nano_usd, old.file_upstream_nano_usd, old.web_fetch_nano_usd, old.web_fetch_upstream_nano_usd,
  old.latency_ms, old.latency_count, old.throughput_milli, old.throughput_count
FROM old_usage_day_model AS old JOIN accounts ON accounts.account_id = old.account_id
  JOIN model_dictionary ON model_dictionary.account_id = old.account_id
    AND model_dictionary.digest = dictionary_digest(old.model, old.variant);

-- The columns of the views stay as they are, so that views of operators on them and rights go on.
DO $body$
DECLARE
  views text := current_schema() || '_v1';
BEGIN
  EXECUTE format($view$
CREATE OR REPLACE VIEW %I.usage_hour AS
SELECT
  account.account_id,
  usage.at AS hour,
  nullif(place.workspace_id, '') AS workspace_id,
  nullif(workspace.name, '') AS workspace_name,
  nullif(place.key_hash, '') AS key_hash,
  nullif(key.name, '') AS key_name,
  nullif(place.user_id, '') AS user_id,
  nullif(member.name, '') AS user_name,
  nullif(member.email, '') AS user_email,
  nullif(model.model, '') AS model,
  nullif(model.variant, '') AS variant,
  nullif(place.app, '') AS app,
  nullif(call.provider, '') AS provider,
  nullif(call.origin, '') AS origin,
  nullif(call.country, '') AS country,
  nullif(call.finish_reason, '') AS finish_reason,
  nullif(end_user.external_user, '') AS external_user,
  nullif(call.context_bucket, '') AS context_bucket,
  coalesce(usage.requests, 0)::bigint AS requests,
  coalesce(usage.failed_requests, 0) AS failed_requests,
  coalesce(usage.refused_requests, 0) AS refused_requests,
  coalesce(usage.blocked_requests, 0)::bigint AS blocked_requests,
  coalesce(usage.guardrail_requests, 0)::bigint AS guardrail_requests,
  coalesce(usage.byok_requests, 0)::bigint AS byok_requests,
  coalesce(usage.repeated_responses, 0)::bigint AS repeated_responses,
  coalesce(usage.tool_calls, 0)::bigint AS tool_calls,
  coalesce(usage.input_tokens, 0) AS input_tokens,
  coalesce(usage.output_tokens, 0) AS output_tokens,
  coalesce(usage.cached_tokens, 0) AS cached_tokens,
  coalesce(usage.reasoning_tokens, 0) AS reasoning_tokens,
  coalesce(usage.latency_ms, 0) AS latency_ms,
  coalesce(usage.latency_count, 0)::bigint AS latency_count,
  coalesce(usage.throughput_milli, 0) AS throughput_milli,
  coalesce(usage.throughput_count, 0)::bigint AS throughput_count,
  coalesce(usage.service_nano_usd, 0) + coalesce(usage.fee_nano_usd, 0) AS credits_nano_usd,
  coalesce(usage.service_nano_usd, 0) AS service_nano_usd,
  coalesce(usage.fee_nano_usd, 0) AS fee_nano_usd,
  coalesce(usage.byok_nano_usd, 0) AS byok_nano_usd,
  coalesce(usage.upstream_nano_usd, 0) AS upstream_nano_usd,
  usage.web_nano_usd,
  usage.file_nano_usd,
  usage.web_fetch_nano_usd,
  (coalesce(usage.service_nano_usd, 0) + coalesce(usage.fee_nano_usd, 0)) * 0.000000001 AS credits_usd,
  coalesce(usage.service_nano_usd, 0) * 0.000000001 AS service_usd,
  coalesce(usage.fee_nano_usd, 0) * 0.000000001 AS fee_usd,
  coalesce(usage.byok_nano_usd, 0) * 0.000000001 AS byok_usd,
  coalesce(usage.upstream_nano_usd, 0) * 0.000000001 AS upstream_usd,
  usage.web_nano_usd * 0.000000001 AS web_usd,
  usage.file_nano_usd * 0.000000001 AS file_usd,
  usage.web_fetch_nano_usd * 0.000000001 AS web_fetch_usd
FROM usage_hour AS usage
JOIN accounts AS account ON account.id = usage.account
JOIN model_dictionary AS model ON model.id = usage.model_ref
JOIN place_dictionary AS place ON place.id = usage.place_ref
JOIN call_dictionary AS call ON call.id = usage.call_ref
JOIN end_user_dictionary AS end_user ON end_user.id = usage.end_user_ref
LEFT JOIN names AS workspace ON workspace.account_id = account.account_id AND workspace.kind = 'workspace'
  AND workspace.entity_id = place.workspace_id
LEFT JOIN names AS key ON key.account_id = account.account_id AND key.kind = 'key'
  AND key.entity_id = place.key_hash
LEFT JOIN names AS member ON member.account_id = account.account_id AND member.kind = 'member'
  AND member.entity_id = place.user_id
  $view$, views);
  EXECUTE format($view$
CREATE OR REPLACE VIEW %I.usage_day AS
SELECT
  account.account_id,
  usage.at AS day,
  nullif(place.workspace_id, '') AS workspace_id,
  nullif(workspace.name, '') AS workspace_name,
  nullif(place.key_hash, '') AS key_hash,
  nullif(key.name, '') AS key_name,
  nullif(place.user_id, '') AS user_id,
  nullif(member.name, '') AS user_name,
  nullif(member.email, '') AS user_email,
  nullif(model.model, '') AS model,
  nullif(model.variant, '') AS variant,
  nullif(place.app, '') AS app,
  coalesce(usage.requests, 0)::bigint AS requests,
  coalesce(usage.failed_requests, 0) AS failed_requests,
  coalesce(usage.refused_requests, 0) AS refused_requests,
  coalesce(usage.blocked_requests, 0)::bigint AS blocked_requests,
  coalesce(usage.guardrail_requests, 0)::bigint AS guardrail_requests,
  coalesce(usage.byok_requests, 0)::bigint AS byok_requests,
  coalesce(usage.repeated_responses, 0)::bigint AS repeated_responses,
  coalesce(usage.tool_calls, 0)::bigint AS tool_calls,
  coalesce(usage.input_tokens, 0) AS input_tokens,
  coalesce(usage.output_tokens, 0) AS output_tokens,
  coalesce(usage.cached_tokens, 0) AS cached_tokens,
  coalesce(usage.reasoning_tokens, 0) AS reasoning_tokens,
  coalesce(usage.latency_ms, 0) AS latency_ms,
  coalesce(usage.latency_count, 0)::bigint AS latency_count,
  coalesce(usage.throughput_milli, 0) AS throughput_milli,
  coalesce(usage.throughput_count, 0)::bigint AS throughput_count,
  coalesce(usage.service_nano_usd, 0) + coalesce(usage.fee_nano_usd, 0) AS credits_nano_usd,
  coalesce(usage.service_nano_usd, 0) AS service_nano_usd,
  coalesce(usage.fee_nano_usd, 0) AS fee_nano_usd,
  coalesce(usage.byok_nano_usd, 0) AS byok_nano_usd,
  coalesce(usage.upstream_nano_usd, 0) AS upstream_nano_usd,
  usage.web_nano_usd,
  usage.file_nano_usd,
  usage.web_fetch_nano_usd,
  (coalesce(usage.service_nano_usd, 0) + coalesce(usage.fee_nano_usd, 0)) * 0.000000001 AS credits_usd,
  coalesce(usage.service_nano_usd, 0) * 0.000000001 AS service_usd,
  coalesce(usage.fee_nano_usd, 0) * 0.000000001 AS fee_usd,
  coalesce(usage.byok_nano_usd, 0) * 0.000000001 AS byok_usd,
  coalesce(usage.upstream_nano_usd, 0) * 0.000000001 AS upstream_usd,
  usage.web_nano_usd * 0.000000001 AS web_usd,
  usage.file_nano_usd * 0.000000001 AS file_usd,
  usage.web_fetch_nano_usd * 0.000000001 AS web_fetch_usd
FROM usage_day AS usage
JOIN accounts AS account ON account.id = usage.account
JOIN model_dictionary AS model ON model.id = usage.model_ref
JOIN place_dictionary AS place ON place.id = usage.place_ref
LEFT JOIN names AS workspace ON workspace.account_id = account.account_id AND workspace.kind = 'workspace'
  AND workspace.entity_id = place.workspace_id
LEFT JOIN names AS key ON key.account_id = account.account_id AND key.kind = 'key'
  AND key.entity_id = place.key_hash
LEFT JOIN names AS member ON member.account_id = account.account_id AND member.kind = 'member'
  AND member.entity_id = place.user_id
  $view$, views);
END $body$;

DROP TABLE old_facts, old_usage_hour, old_usage_day, old_usage_day_model;

CREATE FUNCTION show_own_account(name text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
  EXECUTE format('CREATE POLICY own_account ON %I FOR SELECT TO sluice_tenant
    USING (account = (SELECT id FROM accounts WHERE account_id = current_setting(''sluice.account_id'', true)))', name);
  EXECUTE format('GRANT SELECT ON %I TO sluice_tenant', name);
END $$;
SELECT show_own_account(name) FROM unnest(ARRAY['facts', 'usage_hour', 'usage_day', 'usage_day_model']) AS name;
DROP FUNCTION show_own_account;
