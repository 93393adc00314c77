-- What each attempt used and cost, once per usage_id. Amounts are nano-USD.
CREATE TABLE usage_facts (
  usage_id text PRIMARY KEY,
  generation_id text NOT NULL,
  request_id text NOT NULL,
  account_id text NOT NULL,
  workspace_id text NOT NULL,
  key_hash text NOT NULL,
  model text NOT NULL,
  provider text NOT NULL,
  upstream_id text NOT NULL,
  input_tokens bigint NOT NULL CHECK (input_tokens >= 0),
  cached_tokens bigint NOT NULL CHECK (cached_tokens >= 0),
  output_tokens bigint NOT NULL CHECK (output_tokens >= 0),
  reasoning_tokens bigint NOT NULL CHECK (reasoning_tokens >= 0),
  cost_nano_usd bigint NOT NULL CHECK (cost_nano_usd >= 0),
  is_byok boolean NOT NULL,
  streamed boolean NOT NULL,
  outcome text NOT NULL,
  finish_reason text NOT NULL,
  estimated boolean NOT NULL,
  admitted_at timestamptz NOT NULL,
  completed_at timestamptz NOT NULL,
  replica text NOT NULL,
  epoch bigint NOT NULL,
  sequence bigint NOT NULL,
  counted_at timestamptz NOT NULL DEFAULT now()
);

-- Credits of an account, once per credit_id; a refund is negative.
CREATE TABLE credits (
  credit_id text PRIMARY KEY,
  account_id text NOT NULL,
  entry_kind text NOT NULL,
  amount_nano_usd bigint NOT NULL,
  occurred_at timestamptz NOT NULL,
  counted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX credits_by_account ON credits (account_id);

-- Sums of usage_facts: one row per scope and window, made again from them at any time.
CREATE TABLE counters (
  account_id text NOT NULL,
  scope_kind text NOT NULL,
  scope_id text NOT NULL,
  window_kind text NOT NULL,
  window_start timestamptz NOT NULL,
  credits_nano_usd bigint NOT NULL CHECK (credits_nano_usd >= 0),
  byok_nano_usd bigint NOT NULL CHECK (byok_nano_usd >= 0),
  PRIMARY KEY (account_id, scope_kind, scope_id, window_kind, window_start)
);

-- Which sequences of a writer are counted or dead-lettered; its watermark ends the range from 1 on.
CREATE TABLE watermarks (
  replica text NOT NULL,
  epoch bigint NOT NULL,
  settled int8multirange NOT NULL,
  PRIMARY KEY (replica, epoch)
);

-- Messages that could not be counted, as they came.
CREATE TABLE dead_letters (
  digest text PRIMARY KEY,
  subject text NOT NULL,
  message_id text,
  reason text NOT NULL,
  raw bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now()
);
