-- The streams of files, so that a command on one reads its last events alone, however long it has grown. The rows of
-- `files` and `file_uploads` are those of this revision.
CREATE TABLE file_streams (
  workspace_id uuid PRIMARY KEY,
  account_id text NOT NULL,
  revision bigint NOT NULL,
  is_closed boolean NOT NULL DEFAULT false
);

-- Uploads that have not ended.
CREATE TABLE file_uploads (
  file_id text PRIMARY KEY,
  account_id text NOT NULL,
  workspace_id uuid NOT NULL,
  begun_at timestamptz NOT NULL
);

CREATE INDEX file_uploads_by_time ON file_uploads (begun_at);
CREATE INDEX file_uploads_of_workspace ON file_uploads (account_id, workspace_id);
