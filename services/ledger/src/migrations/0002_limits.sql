-- What a scope may spend at most per window of a kind. Of an account: its credits, all of them.
CREATE TABLE limits (
  account_id text NOT NULL,
  scope_kind text NOT NULL,
  scope_id text NOT NULL,
  window_kind text NOT NULL,
  limit_nano_usd bigint NOT NULL,
  include_byok boolean NOT NULL,
  PRIMARY KEY (account_id, scope_kind, scope_id, window_kind)
);
INSERT INTO limits
  SELECT account_id, 'account', account_id, 'lifetime', sum(amount_nano_usd), false
  FROM credits GROUP BY account_id;

-- Which revision of its source the limits of a scope come from; also of scopes without a limit.
CREATE TABLE limit_revisions (
  account_id text NOT NULL,
  scope_kind text NOT NULL,
  scope_id text NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (account_id, scope_kind, scope_id)
);
