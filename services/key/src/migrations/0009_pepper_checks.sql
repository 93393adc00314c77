-- A digest of each pepper that keys were made under: a service with another pepper ends at its start.
CREATE TABLE pepper_checks (
  version integer PRIMARY KEY,
  digest text NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT now()
);
