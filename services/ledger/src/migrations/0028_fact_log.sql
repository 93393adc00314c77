-- The order in which facts were counted, corrected and expired: a row per transaction, in the order of the commits. facts
-- is the number of usage_ids. Only ever added to, by the last statement of a transaction (store/log-facts.ts).
CREATE TABLE fact_log (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entry_kind text NOT NULL CHECK (entry_kind IN ('recorded', 'corrected', 'expired')),
  usage_ids text[] NOT NULL,
  facts integer NOT NULL CHECK (facts > 0 AND facts = cardinality(usage_ids))
);

-- No ledger counts between the reading of the facts and the end of this migration.
LOCK TABLE usage_facts, corrections, estimates IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO fact_log (entry_kind, usage_ids, facts)
  SELECT entry_kind, array_agg(usage_id ORDER BY entry_at, usage_id), count(*)
  FROM (
    SELECT *, (row_number() OVER (PARTITION BY kind_order ORDER BY entry_at, usage_id) - 1) / 1000 AS part
    FROM (
      SELECT 1 AS kind_order, 'recorded' AS entry_kind, usage_id, counted_at AS entry_at FROM usage_facts
      UNION ALL
      SELECT 2, 'expired', usage_id, expired_at FROM estimates WHERE expired_at IS NOT NULL
      UNION ALL
      SELECT 3, 'corrected', usage_id, corrected_at FROM corrections
    ) AS entry
  ) AS numbered
  GROUP BY kind_order, entry_kind, part ORDER BY kind_order, part;
