-- A key as its events fold it, with its digest and its revision: what ResolveKey answers from.
CREATE TABLE key_states (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  revision bigint NOT NULL,
  state jsonb NOT NULL
);

-- Whether a key that is not known yet may be about to be.
CREATE INDEX issue_attempts_by_hash ON issue_attempts (hash);
