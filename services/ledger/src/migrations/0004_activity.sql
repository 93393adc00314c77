-- What a fact says beside what is counted of it; an empty text: nothing is known. Facts of before have none.
CREATE TABLE usage_details (
  usage_id text PRIMARY KEY,
  native_finish_reason text NOT NULL,
  endpoint_id text NOT NULL,
  latency_ms bigint,
  user_id text NOT NULL,
  external_user text NOT NULL,
  session_id text NOT NULL,
  http_referer text NOT NULL,
  user_agent text NOT NULL,
  attempts jsonb NOT NULL
);
CREATE INDEX usage_facts_by_generation ON usage_facts (account_id, generation_id);

-- Sums of usage_facts per UTC day of the admission, made again from them at any time. The digest is of the
-- columns from workspace_id to provider, which are too long for an index.
CREATE TABLE activity (
  account_id text NOT NULL,
  day date NOT NULL,
  digest text NOT NULL,
  workspace_id text NOT NULL,
  key_hash text NOT NULL,
  user_id text NOT NULL,
  model text NOT NULL,
  endpoint_id text NOT NULL,
  provider text NOT NULL,
  requests bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  credits_nano_usd bigint NOT NULL,
  byok_nano_usd bigint NOT NULL,
  PRIMARY KEY (account_id, day, digest)
);
INSERT INTO activity
  SELECT account_id, day,
    encode(sha256(convert_to(json_build_array(workspace_id, key_hash, model, provider)::text, 'UTF8')), 'hex'),
    workspace_id, key_hash, '', model, '', provider, count(*),
    sum(input_tokens), sum(output_tokens), sum(reasoning_tokens),
    coalesce(sum(cost_nano_usd) FILTER (WHERE NOT is_byok), 0),
    coalesce(sum(cost_nano_usd) FILTER (WHERE is_byok), 0)
  FROM (SELECT *, (admitted_at AT TIME ZONE 'UTC')::date AS day FROM usage_facts) AS fact
  GROUP BY account_id, day, workspace_id, key_hash, model, provider;

-- What users said about generations: only ever added to.
CREATE TABLE feedback (
  account_id text NOT NULL,
  feedback_id text NOT NULL,
  generation_id text NOT NULL,
  category text NOT NULL,
  comment text NOT NULL,
  key_hash text NOT NULL,
  given_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, feedback_id)
);
CREATE INDEX feedback_by_generation ON feedback (account_id, generation_id);
