CREATE TABLE workspaces (
  workspace_id uuid PRIMARY KEY,
  account_id text NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  is_default boolean NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX workspaces_by_account ON workspaces (account_id, created_at, workspace_id);
