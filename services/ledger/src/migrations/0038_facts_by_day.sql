-- Facts lie in partitions by the time of their admission, so that the facts of a day can be archived and dropped. No
-- index spans the partitions: usage_id is unique in each of them, and a fact that comes again has the same admission.
-- before: what was there, and the rest of today and tomorrow. rest: what no other partition takes, such as late facts
-- of days that are archived.
LOCK TABLE usage_facts IN ACCESS EXCLUSIVE MODE;
ALTER TABLE usage_facts RENAME TO usage_facts_before;
ALTER INDEX usage_facts_pkey RENAME TO usage_facts_before_pkey;
ALTER INDEX usage_facts_by_generation RENAME TO usage_facts_before_by_generation;
ALTER INDEX usage_facts_by_admission RENAME TO usage_facts_before_by_admission;
ALTER INDEX usage_facts_by_count RENAME TO usage_facts_before_by_count;

CREATE TABLE usage_facts (
  LIKE usage_facts_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE
) PARTITION BY RANGE (admitted_at);
CREATE INDEX usage_facts_by_generation ON usage_facts (account_id, generation_id);
CREATE INDEX usage_facts_by_admission ON usage_facts (account_id, admitted_at);
CREATE INDEX usage_facts_by_count ON usage_facts USING brin (counted_at);
CREATE TABLE usage_facts_rest PARTITION OF usage_facts DEFAULT;
ALTER TABLE usage_facts_rest ADD PRIMARY KEY (usage_id);

-- No row moves but those that a wrong clock dated later. The table is read twice.
DO $$
DECLARE
  past timestamptz := date_trunc('day', now(), 'UTC') + interval '2 days';
BEGIN
  WITH later AS (DELETE FROM usage_facts_before WHERE admitted_at >= past RETURNING *)
    INSERT INTO usage_facts_rest SELECT * FROM later;
  EXECUTE format(
    'ALTER TABLE usage_facts ATTACH PARTITION usage_facts_before FOR VALUES FROM (MINVALUE) TO (%L)', past
  );
END $$;

-- Makes a partition of facts. Facts of its time that came before it are in the rest, and move. Rows of a partition are
-- reached through the table only.
CREATE FUNCTION make_facts_partition(first timestamptz, past timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  name text := 'usage_facts_p' || to_char(first AT TIME ZONE 'UTC', 'YYYYMMDD');
BEGIN
  EXECUTE format('CREATE TABLE %I (
    LIKE usage_facts INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE, PRIMARY KEY (usage_id)
  )', name);
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
  LOCK TABLE usage_facts_rest IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('WITH early AS (
      DELETE FROM usage_facts_rest WHERE admitted_at >= %L AND admitted_at < %L RETURNING *
    ) INSERT INTO %I SELECT * FROM early', first, past, name);
  EXECUTE format('ALTER TABLE usage_facts ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, first, past);
END $$;

-- Days of admission whose facts are in files, with all that hangs on them. A day has another part for facts that came
-- late. sha256: of the file. known_until: when the newest fact in it was counted, corrected or expired.
CREATE TABLE archives (
  day date NOT NULL,
  part integer NOT NULL CHECK (part > 0),
  file text NOT NULL,
  facts bigint NOT NULL CHECK (facts > 0),
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  known_until timestamptz NOT NULL,
  archived_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (day, part)
);
