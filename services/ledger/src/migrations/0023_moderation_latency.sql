-- Time that the moderation of the input took; null: it was not moderated, or the fact is of before.
ALTER TABLE usage_details
  ADD COLUMN moderation_latency_ms bigint;
