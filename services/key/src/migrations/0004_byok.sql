CREATE TABLE byok_credentials (
  credential_id uuid PRIMARY KEY,
  account_id text NOT NULL,
  workspace_id uuid NOT NULL,
  provider text NOT NULL,
  secret_id uuid NOT NULL,
  label text NOT NULL,
  name text,
  disabled boolean NOT NULL,
  is_fallback boolean NOT NULL,
  is_required boolean NOT NULL,
  is_byok_only boolean NOT NULL,
  declared_zdr boolean,
  allowed_models text[],
  allowed_api_key_hashes text[],
  allowed_user_ids text[],
  sort_order integer NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX byok_credentials_by_workspace
  ON byok_credentials (account_id, workspace_id, provider, is_fallback, sort_order);

-- The secrets, sealed: base64 of what an envelope has. No read model: a row goes with its credential.
CREATE TABLE byok_secrets (
  account_id text NOT NULL,
  secret_id uuid NOT NULL,
  credential_id uuid NOT NULL,
  key_version text NOT NULL,
  wrapped_key text NOT NULL,
  ciphertext text NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, secret_id)
);
