CREATE TABLE api_keys (
  hash text PRIMARY KEY,
  kind text NOT NULL,
  label text NOT NULL,
  name text NOT NULL,
  disabled boolean NOT NULL,
  account_id text NOT NULL,
  workspace_id uuid NOT NULL,
  limit_nano_usd bigint,
  limit_reset text,
  include_byok_in_limit boolean NOT NULL,
  expires_at timestamptz,
  creator_user_id text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  issue_command_id text NOT NULL
);

CREATE INDEX api_keys_by_workspace ON api_keys (account_id, workspace_id, created_at DESC, hash DESC);
CREATE INDEX api_keys_by_issue_command ON api_keys (account_id, issue_command_id);
