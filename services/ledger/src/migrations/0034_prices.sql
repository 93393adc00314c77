-- The rates of a private endpoint at the time of the request, in atto-USD by name. NULL: the fact has none. Those of an
-- estimate are in its message.
ALTER TABLE usage_details
  ADD COLUMN prices jsonb;
