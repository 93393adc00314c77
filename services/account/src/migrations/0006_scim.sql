-- Who ended a membership; only of those who are not active.
ALTER TABLE members ADD COLUMN deactivated_by text;

-- Groups of the directory of an organization, also those that it has no more.
CREATE TABLE scim_groups (
  account_id text NOT NULL,
  group_id uuid NOT NULL,
  external_id text NOT NULL,
  display_name text NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, group_id)
);
CREATE INDEX scim_groups_by_name ON scim_groups (account_id, display_name, group_id);

-- Which group opens which workspace, as whom.
CREATE TABLE scim_mappings (
  account_id text NOT NULL,
  mapping_id uuid NOT NULL,
  group_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, mapping_id)
);
CREATE INDEX scim_mappings_by_creation ON scim_mappings (account_id, created_at DESC, mapping_id DESC);

-- Jobs that pull the directory of an organization.
CREATE TABLE scim_sync_jobs (
  account_id text NOT NULL,
  job_id uuid NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  synced_groups integer,
  deleted_groups integer,
  error_message text,
  PRIMARY KEY (account_id, job_id)
);
