-- The tier that served, as the provider told it; empty: it told none.
ALTER TABLE usage_details ADD COLUMN service_tier text NOT NULL DEFAULT '';
