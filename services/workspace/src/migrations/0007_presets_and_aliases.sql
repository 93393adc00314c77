-- The aliases of an account as their events fold them, with the revision of their stream.
CREATE TABLE model_alias_states (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  revision bigint NOT NULL,
  state jsonb NOT NULL
);

-- Presets, without what a request gets of them.
CREATE TABLE presets (
  preset_id uuid PRIMARY KEY,
  account_id text NOT NULL,
  workspace_id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  status text NOT NULL,
  status_updated_at timestamptz,
  creator_user_id text,
  designated_version integer NOT NULL,
  version_count integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX presets_by_time ON presets (account_id, workspace_id, updated_at, preset_id);
CREATE UNIQUE INDEX presets_by_slug ON presets (account_id, workspace_id, slug);

-- Each version of each preset. The configuration is text: its fields keep their order.
CREATE TABLE preset_versions (
  preset_id uuid NOT NULL,
  version integer NOT NULL,
  account_id text NOT NULL,
  version_id uuid NOT NULL,
  config text NOT NULL,
  system_prompt text,
  creator_id text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (preset_id, version)
);
