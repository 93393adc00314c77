-- Endpoints that organizations run themselves, without deleted ones.
CREATE TABLE private_endpoints (
  endpoint_id uuid PRIMARY KEY,
  account_id text NOT NULL,
  status text NOT NULL,
  model_permaslug text NOT NULL,
  provider text NOT NULL,
  provider_name text NOT NULL,
  upstream_model_id text NOT NULL,
  base_url text,
  declared_zdr boolean,
  declared_region text,
  prompt_price text NOT NULL,
  completion_price text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX private_endpoints_by_account ON private_endpoints (account_id, created_at DESC);
