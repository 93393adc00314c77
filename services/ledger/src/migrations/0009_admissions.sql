-- What the spools of replicas say, each record of them once. Only of epochs from the first that reported on.
CREATE TABLE admission_reports (
  replica text PRIMARY KEY,
  first_epoch bigint NOT NULL,
  epoch bigint NOT NULL,
  spool_sequence bigint NOT NULL,
  settled_sequence bigint NOT NULL,
  reported_at timestamptz NOT NULL DEFAULT now()
);

-- Sums of them per account and UTC day of the admission.
CREATE TABLE admissions (
  replica text NOT NULL,
  account_id text NOT NULL,
  day date NOT NULL,
  admitted bigint NOT NULL,
  settled bigint NOT NULL,
  released bigint NOT NULL,
  PRIMARY KEY (account_id, day, replica)
);

-- Attempts that had no end when their replica reported last.
CREATE TABLE open_attempts (
  replica text NOT NULL,
  usage_id text NOT NULL,
  account_id text NOT NULL,
  admitted_at timestamptz NOT NULL,
  hold_nano_usd bigint NOT NULL CHECK (hold_nano_usd >= 0),
  PRIMARY KEY (replica, usage_id)
);
CREATE INDEX open_attempts_by_account ON open_attempts (account_id, admitted_at);
CREATE INDEX usage_facts_by_admission ON usage_facts (account_id, admitted_at);
