-- When a row was counted, and the rows that a newer revision has replaced: an answer as of an instant needs both. NULL: it
-- was counted before this migration, and is taken as counted when its request was admitted.
ALTER TABLE facts ADD COLUMN counted_at timestamptz;

-- The columns of facts. Most facts have one revision, so most days have no partition here.
CREATE TABLE superseded (LIKE facts, PRIMARY KEY (day, fact_id, revision)) PARTITION BY RANGE (day);
CREATE INDEX ON superseded (account, at);

ALTER TABLE superseded ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON superseded FOR SELECT TO sluice_tenant
  USING (account = (SELECT id FROM accounts WHERE account_id = current_setting('sluice.account_id', true)));
GRANT SELECT ON superseded TO sluice_tenant;
