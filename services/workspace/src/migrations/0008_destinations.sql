CREATE TABLE destinations (
  destination_id uuid PRIMARY KEY,
  account_id text NOT NULL,
  workspace_id uuid NOT NULL,
  type text NOT NULL,
  secret_id uuid NOT NULL,
  masked_config text NOT NULL,
  name text,
  enabled boolean NOT NULL,
  privacy_mode boolean NOT NULL,
  sampling_rate double precision NOT NULL,
  api_key_hashes text[],
  filter_rules text,
  broadcast_generation_cost boolean NOT NULL,
  broadcast_generation_identity boolean NOT NULL,
  broadcast_generation_request_context boolean NOT NULL,
  regions text[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX destinations_by_workspace
  ON destinations (account_id, workspace_id, created_at, destination_id);

-- The configs, sealed: base64 of the parts of an envelope. No read model: a row goes with its destination.
CREATE TABLE destination_secrets (
  account_id text NOT NULL,
  secret_id uuid NOT NULL,
  destination_id uuid NOT NULL,
  key_version text NOT NULL,
  wrapped_key text NOT NULL,
  ciphertext text NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, secret_id)
);

-- A known value, sealed: it opens with the envelope keys of this database and with no others. One row.
CREATE TABLE envelope_key_check (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  key_version text NOT NULL,
  wrapped_key text NOT NULL,
  ciphertext text NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT now()
);
