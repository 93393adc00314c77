-- The messages and answers of generations, for workspaces that store them. They are sealed for their account.
CREATE TABLE contents (
  account_id text COLLATE "C" NOT NULL,
  generation_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  -- The member that made the key. Empty: no member did.
  user_id text COLLATE "C" NOT NULL,
  stored_at timestamptz NOT NULL,
  key_version text COLLATE "C" NOT NULL,
  wrapped_key bytea NOT NULL,
  ciphertext bytea NOT NULL,
  PRIMARY KEY (account_id, generation_id)
);
CREATE INDEX ON contents (stored_at);
CREATE INDEX ON contents (workspace_id);
-- Ciphertexts do not get smaller.
ALTER TABLE contents ALTER COLUMN ciphertext SET STORAGE EXTERNAL;

-- The bytes of these that each workspace has.
CREATE TABLE content_bytes (
  workspace_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL
);

-- Workspaces that were deleted lately: contents that come late are not stored.
CREATE TABLE deleted_workspaces (
  workspace_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  deleted_at timestamptz NOT NULL
);
CREATE INDEX ON deleted_workspaces (deleted_at);
