-- Counts of tokens that may have a price of their own, by name: with the four of the fact they give its cost.
ALTER TABLE usage_details ADD COLUMN special_tokens jsonb NOT NULL DEFAULT '{}';
