-- For what becomes of keys when their creator leaves.
CREATE INDEX api_keys_by_creator ON api_keys (account_id, creator_user_id);
