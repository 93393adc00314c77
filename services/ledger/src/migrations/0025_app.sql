-- The application that made the call; null or empty: not known. Days of before have no application.
ALTER TABLE usage_details
  ADD COLUMN app text;
ALTER TABLE activity
  ADD COLUMN app text NOT NULL DEFAULT '';
