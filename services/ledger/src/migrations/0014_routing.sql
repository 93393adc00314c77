-- How the endpoint of a generation was chosen; null: not known.
ALTER TABLE usage_details ADD COLUMN routing jsonb;
