-- A partition begins each day with no row. PostgreSQL gathers the statistics of a table that grew by a tenth: each
-- half minute in the first hours, with a second of a processor each time. A partition that grew to twice as many rows
-- has the same distribution.
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'usage_facts'::regclass LOOP
    EXECUTE format('ALTER TABLE %s SET (autovacuum_analyze_scale_factor = 1)', part);
  END LOOP;
END $$;

-- As in 0038, beside that.
CREATE OR REPLACE FUNCTION make_facts_partition(first timestamptz, past timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  name text := 'usage_facts_p' || to_char(first AT TIME ZONE 'UTC', 'YYYYMMDD');
BEGIN
  EXECUTE format('CREATE TABLE %I (
    LIKE usage_facts INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE, PRIMARY KEY (usage_id)
  ) WITH (autovacuum_analyze_scale_factor = 1)', name);
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
  LOCK TABLE usage_facts_rest IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('WITH early AS (
      DELETE FROM usage_facts_rest WHERE admitted_at >= %L AND admitted_at < %L RETURNING *
    ) INSERT INTO %I SELECT * FROM early', first, past, name);
  EXECUTE format('ALTER TABLE usage_facts ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, first, past);
END $$;
