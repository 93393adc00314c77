-- Who holds leases: the newest epoch of each routing replica, and when it was heard of last.
CREATE TABLE replicas (
  replica text PRIMARY KEY,
  epoch bigint NOT NULL,
  heard_at timestamptz NOT NULL
);

-- What a replica may spend of one budget without asking: granted - returned - counted is still out.
-- Sums only ever grow, so that a message may come twice or late.
CREATE TABLE leases (
  replica text NOT NULL,
  epoch bigint NOT NULL,
  number bigint NOT NULL,
  account_id text NOT NULL,
  scope_kind text NOT NULL,
  scope_id text NOT NULL,
  window_kind text NOT NULL,
  window_start timestamptz NOT NULL,
  granted_nano_usd bigint NOT NULL CHECK (granted_nano_usd >= 0),
  returned_nano_usd bigint NOT NULL CHECK (returned_nano_usd >= 0),
  counted_nano_usd bigint NOT NULL DEFAULT 0 CHECK (counted_nano_usd >= 0),
  closed_at timestamptz,
  PRIMARY KEY (replica, epoch, number)
);
CREATE INDEX leases_by_budget ON leases (account_id, scope_kind, scope_id, window_kind, window_start);

-- Which leases paid for a fact.
ALTER TABLE usage_facts
  ADD COLUMN lease_epoch bigint NOT NULL DEFAULT 0,
  ADD COLUMN lease_numbers bigint[] NOT NULL DEFAULT '{}';
