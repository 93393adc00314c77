-- An export goes to a bucket if it names a destination. Then it has no file: its parts are objects under the location.
ALTER TABLE exports
  ADD COLUMN destination_id uuid,
  ADD COLUMN location text,
  ADD COLUMN parts integer;
