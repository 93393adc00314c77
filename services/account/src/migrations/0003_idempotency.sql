-- What was answered to requests under an idempotency key; without a status it is being carried out.
CREATE TABLE idempotency_records (
  account_id text NOT NULL,
  route text NOT NULL,
  idempotency_key text NOT NULL,
  body_sha256 text NOT NULL,
  attempt integer NOT NULL,
  status integer,
  sealed_answer bytea,
  begun_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, route, idempotency_key)
);
CREATE INDEX idempotency_records_by_account ON idempotency_records (account_id, begun_at DESC);
CREATE INDEX idempotency_records_by_age ON idempotency_records (begun_at);
