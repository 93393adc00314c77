-- With a provider credential of one's own the cost is the list price. fee: what credits pay for it. free: what
-- of the list price the month's allowance covered; its counter is that of the scope kind allowance.
ALTER TABLE usage_facts
  ADD COLUMN credential_id text NOT NULL DEFAULT '',
  ADD COLUMN fee_nano_usd bigint NOT NULL DEFAULT 0 CHECK (fee_nano_usd >= 0),
  ADD COLUMN free_nano_usd bigint NOT NULL DEFAULT 0 CHECK (free_nano_usd >= 0),
  ADD COLUMN fee_lease_numbers bigint[] NOT NULL DEFAULT '{}',
  ADD COLUMN allowance_lease_number bigint NOT NULL DEFAULT 0;
