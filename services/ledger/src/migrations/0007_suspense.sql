-- Facts whose counts are ours and may be corrected, each at most once. fact: the message, in JSON. What is
-- suspended is of the hold; what is claimed, the provider asks for beyond it. Nano-USD.
CREATE TABLE estimates (
  usage_id text PRIMARY KEY,
  account_id text NOT NULL,
  replica text NOT NULL,
  reason text NOT NULL,
  suspended_nano_usd bigint NOT NULL CHECK (suspended_nano_usd >= 0),
  claimed_nano_usd bigint NOT NULL CHECK (claimed_nano_usd >= 0),
  fact text NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT now(),
  corrected_at timestamptz
);
CREATE INDEX estimates_open ON estimates (replica, suspended_nano_usd DESC) WHERE corrected_at IS NULL;

-- What took the place of an estimate: its row in usage_facts has the corrected values. charged: the cost is
-- never above what was charged and suspended; absorbed: what the truth costs beyond that.
CREATE TABLE corrections (
  correction_id text PRIMARY KEY,
  usage_id text NOT NULL UNIQUE,
  account_id text NOT NULL,
  source text NOT NULL CHECK (source IN ('provider', 'receipt', 'write_off')),
  upstream_id text NOT NULL,
  estimated_input_tokens bigint NOT NULL,
  estimated_cached_tokens bigint NOT NULL,
  estimated_output_tokens bigint NOT NULL,
  estimated_reasoning_tokens bigint NOT NULL,
  estimated_cost_nano_usd bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  cost_nano_usd bigint NOT NULL CHECK (cost_nano_usd >= 0),
  absorbed_nano_usd bigint NOT NULL CHECK (absorbed_nano_usd >= 0),
  corrected_at timestamptz NOT NULL DEFAULT now()
);

-- What is in suspense per scope and window, made again from estimates at any time: a limit counts it like
-- what is settled.
CREATE TABLE suspended (
  account_id text NOT NULL,
  scope_kind text NOT NULL,
  scope_id text NOT NULL,
  window_kind text NOT NULL,
  window_start timestamptz NOT NULL,
  credits_nano_usd bigint NOT NULL CHECK (credits_nano_usd >= 0),
  byok_nano_usd bigint NOT NULL CHECK (byok_nano_usd >= 0),
  PRIMARY KEY (account_id, scope_kind, scope_id, window_kind, window_start)
);

-- suspense: what is neither the customer's nor spent; claims: what providers ask for beyond a hold.
ALTER TABLE postings DROP CONSTRAINT postings_entry_kind_check, DROP CONSTRAINT postings_book_check;
ALTER TABLE postings
  ADD CONSTRAINT postings_entry_kind_check CHECK (entry_kind IN ('usage', 'credit', 'correction')),
  ADD CONSTRAINT postings_book_check CHECK (book IN
    ('credits', 'byok', 'funding', 'clearing', 'revenue', 'byok_usage', 'suspense', 'claims'));
