-- What providers charge for what they served, whoever pays for it; null: the cost. Of an attempt that failed the
-- customer pays nothing and the operator this. Nano-USD.
ALTER TABLE usage_facts ADD COLUMN upstream_cost_nano_usd bigint CHECK (upstream_cost_nano_usd >= 0);
ALTER TABLE corrections ADD COLUMN estimated_upstream_cost_nano_usd bigint;

-- What a provider may charge the operator beyond it; upstream_id: how the provider can be asked about it.
ALTER TABLE estimates
  ADD COLUMN operator_suspended_nano_usd bigint NOT NULL DEFAULT 0 CHECK (operator_suspended_nano_usd >= 0),
  ADD COLUMN upstream_id text NOT NULL DEFAULT '';
UPDATE estimates SET upstream_id = fact.upstream_id
  FROM usage_facts AS fact WHERE fact.usage_id = estimates.usage_id AND corrected_at IS NULL;
DROP INDEX estimates_open;
CREATE INDEX estimates_askable ON estimates (replica, suspended_nano_usd DESC, usage_id)
  WHERE corrected_at IS NULL AND upstream_id <> '';

-- operator: what the operator pays for attempts that failed; operator_usage: what that was spent as.
ALTER TABLE postings DROP CONSTRAINT postings_book_check;
ALTER TABLE postings ADD CONSTRAINT postings_book_check CHECK (book IN
  ('credits', 'byok', 'funding', 'clearing', 'revenue', 'byok_usage', 'suspense', 'claims', 'operator',
   'operator_usage'));
