-- When a correction was published on the bus; null: not yet. Corrections of earlier releases were never published
-- and are not published now.
ALTER TABLE corrections ADD COLUMN published_at timestamptz;
UPDATE corrections SET published_at = corrected_at;
CREATE INDEX corrections_unpublished ON corrections (corrected_at, correction_id) WHERE published_at IS NULL;
