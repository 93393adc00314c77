-- What a workspace had before it could be set.
ALTER TABLE workspaces
  ADD COLUMN description text,
  ADD COLUMN default_text_model text,
  ADD COLUMN default_image_model text,
  ADD COLUMN default_provider_sort text,
  ADD COLUMN is_observability_io_logging_enabled boolean NOT NULL DEFAULT false,
  ADD COLUMN io_logging_sampling_rate double precision NOT NULL DEFAULT 1,
  ADD COLUMN io_logging_api_key_ids bigint[],
  ADD COLUMN is_observability_broadcast_enabled boolean NOT NULL DEFAULT false,
  ADD COLUMN is_data_discount_logging_enabled boolean NOT NULL DEFAULT false,
  ADD COLUMN disabled_server_tools text[],
  ADD COLUMN include_byok_in_budgets boolean NOT NULL DEFAULT false,
  ADD COLUMN created_by text,
  ADD COLUMN updated_at timestamptz;

CREATE INDEX workspaces_by_slug ON workspaces (account_id, slug);

-- Who was made a member. That all members of an organization belong to its default workspace is in no row.
CREATE TABLE workspace_members (
  account_id text NOT NULL,
  workspace_id uuid NOT NULL,
  user_id text NOT NULL,
  manual_role text,
  directory_role text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
);

CREATE INDEX workspace_members_by_time ON workspace_members (account_id, workspace_id, created_at, user_id);
CREATE INDEX workspace_members_by_user ON workspace_members (account_id, user_id);
