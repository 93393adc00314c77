-- Keys of before were made by the API and by people, for nobody in particular: as their events are read.
ALTER TABLE api_keys ADD COLUMN external_user text;
ALTER TABLE api_keys ADD COLUMN source text NOT NULL DEFAULT 'api';
UPDATE api_keys SET source = 'dashboard' WHERE kind = 'management';
ALTER TABLE api_keys ALTER COLUMN source DROP DEFAULT;

-- When a key was last used, to the minute. No read model: made of usage, not of the events of keys.
CREATE TABLE key_uses (
  account_id text NOT NULL,
  key_hash text NOT NULL,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, key_hash)
);
