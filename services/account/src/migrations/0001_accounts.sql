CREATE TABLE accounts (
  account_id text PRIMARY KEY,
  kind text NOT NULL,
  name text NOT NULL,
  owner_user_id text NOT NULL,
  default_workspace_id uuid NOT NULL,
  created_at timestamptz NOT NULL
);
