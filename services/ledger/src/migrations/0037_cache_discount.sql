-- What a cost is less because of a cache of the provider. Negative: the cache made it dearer. NULL: no difference.
ALTER TABLE usage_facts ADD COLUMN cache_discount_nano_usd bigint;

-- The amount after the correction.
ALTER TABLE corrections ADD COLUMN cache_discount_nano_usd bigint;
