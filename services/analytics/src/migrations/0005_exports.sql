-- Exports of the last days: what was asked for, and how far the work is. A rebuild of the sums carries them over.
CREATE TABLE exports (
  export_id uuid PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  -- Empty: the default workspace of the account.
  workspace_id text NOT NULL,
  actor_type text NOT NULL,
  actor_id text NOT NULL,
  -- parquet | csv
  format text NOT NULL,
  -- The question or the table, as it was asked for at asked_at.
  asked jsonb NOT NULL,
  asked_at timestamptz NOT NULL,
  -- queued | running | completed | failed
  status text NOT NULL DEFAULT 'queued',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  -- How often a process has begun to make the file.
  attempts smallint NOT NULL DEFAULT 0,
  -- How many of these attempts ended because a process was stopped, and not because something failed.
  excused smallint NOT NULL DEFAULT 0,
  -- The process that makes the file, as long as it renews its lease.
  owner uuid,
  leased_until timestamptz,
  -- Of the file, once all rows are in it.
  rows bigint,
  bytes bigint,
  warnings text[] NOT NULL DEFAULT '{}',
  file_id text,
  failure text
);
CREATE INDEX exports_of_account ON exports (account_id, created_at, export_id);
CREATE INDEX exports_unfinished ON exports (created_at) WHERE status IN ('queued', 'running');
CREATE INDEX exports_finished ON exports (finished_at) WHERE finished_at IS NOT NULL;
