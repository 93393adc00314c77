-- What a scope could spend at most, and from when on: what a proof of a past instant goes by. limits: by
-- window kind, in nano-USD. Only ever added to.
CREATE TABLE limit_history (
  account_id text NOT NULL,
  scope_kind text NOT NULL,
  scope_id text NOT NULL,
  revision bigint NOT NULL,
  limits jsonb NOT NULL,
  include_byok boolean NOT NULL,
  set_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, scope_kind, scope_id, revision)
);
INSERT INTO limit_history (account_id, scope_kind, scope_id, revision, limits, include_byok)
  SELECT account_id, scope_kind, scope_id, revision, json_object_agg(window_kind, limit_nano_usd::text),
    bool_or(include_byok)
  FROM limits JOIN limit_revisions USING (account_id, scope_kind, scope_id)
  GROUP BY account_id, scope_kind, scope_id, revision;

-- What requests under way held of a lease when its replica spoke of it last.
ALTER TABLE leases ADD COLUMN held_nano_usd bigint NOT NULL DEFAULT 0 CHECK (held_nano_usd >= 0);
