-- Whether features that nothing serves are left out of the requests of an account, or refused.
CREATE TABLE unsupported_features (
  account_id text PRIMARY KEY,
  -- lenient | strict
  mode text NOT NULL
);
