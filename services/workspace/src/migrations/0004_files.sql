-- The files of workspaces. Their contents lie in the store of files.
CREATE TABLE files (
  file_id text PRIMARY KEY,
  account_id text NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  media_type text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX files_by_time ON files (account_id, workspace_id, created_at, file_id);
