-- The kind of the call: embeddings; null or empty: an answer.
ALTER TABLE usage_details
  ADD COLUMN api_type text;
