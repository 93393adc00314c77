-- Workspaces that are about to be deleted, and workspaces that some users are about to leave. No read model: the
-- workspace service writes a row before it counts keys, and removes it after its append. A row that it leaves ends by
-- the clock of this database.
CREATE TABLE closing_workspaces (
  account_id text NOT NULL,
  token uuid NOT NULL DEFAULT gen_random_uuid(),
  workspace_id uuid NOT NULL,
  -- Empty: every creator.
  creator_user_ids text[] NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, token)
);

CREATE INDEX closing_workspaces_by_workspace ON closing_workspaces (account_id, workspace_id);
