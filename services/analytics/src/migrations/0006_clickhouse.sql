-- The progress of a store in ClickHouse, which has no transactions. Its facts and sums are there.
CREATE TABLE clickhouse_progress (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- The database of ClickHouse that this is about. Another one begins anew.
  database_id text NOT NULL,
  -- Behind the last entry of the ledger that was read. Empty: none.
  ledger_cursor text NOT NULL DEFAULT '',
  -- The cursor whose entries are being written, or were when the process was killed.
  pending_after text,
  -- When the end of the ledger was last reached.
  ledger_read_at timestamptz,
  facts_from timestamptz NOT NULL,
  hours_from timestamptz NOT NULL,
  days_from timestamptz NOT NULL,
  -- Facts of the days before are gone, and nothing adds their sums up again.
  closed_until timestamptz NOT NULL,
  -- Hours before are being added up, or are. A fact of one has to leave a mark.
  sealing_until timestamptz NOT NULL,
  -- Hours before are in the tables of sums.
  sealed_until timestamptz NOT NULL
);

-- Hours that have to be added up again, because a fact came late. A mark is made before the fact is written, and is
-- ready after that.
CREATE TABLE clickhouse_recounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL,
  hour timestamptz NOT NULL,
  is_ready boolean NOT NULL DEFAULT false,
  made_at timestamptz NOT NULL DEFAULT now()
);

-- The versions of sums in ClickHouse. A sequence, since no version may come twice, not even after a rollback.
CREATE SEQUENCE clickhouse_versions;
