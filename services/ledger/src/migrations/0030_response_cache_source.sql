-- The generation whose answer was repeated from the response cache; null or empty: the answer is new.
ALTER TABLE usage_details
  ADD COLUMN response_cache_source_id text;
