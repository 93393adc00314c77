-- The type of the server tool that was called; null or empty: a model was called.
ALTER TABLE usage_details
  ADD COLUMN tool_type text;
