-- What the client said to find a generation by; null: nothing.
ALTER TABLE usage_details ADD COLUMN trace jsonb;
