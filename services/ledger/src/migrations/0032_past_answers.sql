-- What was counted since an instant: questions about the past take it off the sums of now. The facts come in the order of
-- their counting, so a few ranges of blocks are read.
CREATE INDEX usage_facts_by_count ON usage_facts USING brin (counted_at);
CREATE INDEX corrections_by_account ON corrections (account_id, corrected_at);
