-- Replicas whose disk is lost for good: fenced, with what their leases had left; freed_at: it is free again.
CREATE TABLE closed_replicas (
  replica text PRIMARY KEY,
  leases bigint NOT NULL,
  leased_nano_usd bigint NOT NULL,
  open_attempts bigint NOT NULL,
  closed_at timestamptz NOT NULL DEFAULT now(),
  freed_at timestamptz
);
