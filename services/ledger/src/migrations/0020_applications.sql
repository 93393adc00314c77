-- The name and the categories of the application that asked; null: it told none, or the fact is of before.
ALTER TABLE usage_details
  ADD COLUMN app_title text,
  ADD COLUMN app_categories jsonb;
